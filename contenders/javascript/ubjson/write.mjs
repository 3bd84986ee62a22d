import { encode } from "@shelacek/ubjson";

export const bigints = false; // it does not take them

export const write = (root) => new Uint8Array(encode(root));
