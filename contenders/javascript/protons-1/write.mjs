import { Items } from "./type.mjs";

export const write = (root) => Items.encode(root);
