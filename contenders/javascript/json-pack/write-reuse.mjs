import { Writer } from "@jsonjoy.com/buffers/lib/Writer.js";
import { JsonEncoder } from "@jsonjoy.com/json-pack/lib/json/index.js";

const encoder = new JsonEncoder(new Writer());

export const bigints = false; // it does not take them

export const write = (root) => encoder.encode(root);
