import { CborEncoder } from "@jsonjoy.com/json-pack/lib/cbor/index.js";

const encoder = new CborEncoder();

export const write = (root) => encoder.encode(root);
