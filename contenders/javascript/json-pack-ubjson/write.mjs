import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { UbjsonEncoder } from "@jsonjoy.com/json-pack/lib/ubjson/index.js";

export const write = (root) => new UbjsonEncoder(new Writer()).encode(root);
