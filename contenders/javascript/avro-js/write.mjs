import { type } from "./type.mjs";

export const write = (root) => type.toBuffer(root);
