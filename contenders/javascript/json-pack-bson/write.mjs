import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { BsonEncoder } from "@jsonjoy.com/json-pack/lib/bson/index.js";

export const bigints = false; // it does not take them

export const write = (root, { rootIsArray }) =>
  new BsonEncoder(new Writer()).encode(rootIsArray ? { ...root } : root);
