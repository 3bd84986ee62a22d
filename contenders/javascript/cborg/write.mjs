import { encode } from "cborg";

export const write = (root) => encode(root);
