import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { UbjsonEncoder } from "@jsonjoy.com/json-pack/lib/ubjson/index.js";

const encoder = new UbjsonEncoder(new Writer());

export const write = (root) => encoder.encode(root);
