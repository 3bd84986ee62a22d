import { Encoder } from "@msgpack/msgpack";

const encoder = new Encoder();

export const bigints = false; // it does not take them

export const write = (root) => encoder.encode(root);
