import { encode } from "@shelacek/ubjson";

export const write = (root) => new Uint8Array(encode(root));
