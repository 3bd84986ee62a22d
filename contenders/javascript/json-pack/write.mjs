import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { JsonEncoder } from "@jsonjoy.com/json-pack/lib/json/index.js";

export const bigints = false; // it does not take them

export const write = (root) => new JsonEncoder(new Writer()).encode(root);
