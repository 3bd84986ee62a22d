import { encode } from "notepack.io";

export const write = (root) => encode(root);
