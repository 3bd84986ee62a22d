import { encode } from "cbor2";

export const write = (root) => encode(root);
