import { CborDecoder } from "@jsonjoy.com/json-pack/lib/cbor/index.js";

const decoder = new CborDecoder();

export const read = (data) => decoder.decode(data);
