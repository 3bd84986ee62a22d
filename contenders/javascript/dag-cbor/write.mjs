import { encode } from "@ipld/dag-cbor";

export const write = (root) => encode(root);
