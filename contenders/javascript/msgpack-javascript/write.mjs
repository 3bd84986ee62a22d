import { encode } from "@msgpack/msgpack";

export const bigints = false; // it does not take them

export const write = (root) => encode(root);
