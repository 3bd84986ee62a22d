import { typeOf } from "./type.mjs";

export const write = (root) => typeOf(root).toBuffer(root);
