import { type } from "./type.mjs";

export const bigints = false; // it does not take them

export const write = (root) => type.encode(root);
