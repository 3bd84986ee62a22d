import { CborDecoder } from "@jsonjoy.com/json-pack/lib/cbor/index.js";

export const read = (data) => new CborDecoder().decode(data);
