import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { BsonEncoder } from "@jsonjoy.com/json-pack/lib/bson/index.js";

const encoder = new BsonEncoder(new Writer());

export const bigints = false; // it does not take them

export const write = (root, { rootIsArray }) => encoder.encode(rootIsArray ? { ...root } : root);
