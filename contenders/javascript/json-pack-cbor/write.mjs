import { CborEncoder } from "@jsonjoy.com/json-pack/lib/cbor/index.js";

export const write = (root) => new CborEncoder().encode(root);
