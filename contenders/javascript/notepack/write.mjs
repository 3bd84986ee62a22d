import { encode } from "notepack.io";

export const bigints = false; // it does not take them

export const write = (root) => encode(root);
