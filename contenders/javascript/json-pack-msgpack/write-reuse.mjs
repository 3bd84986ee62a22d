import { MessagePackEncoder } from "@jsonjoy.com/json-pack/lib/msgpack/index.js";

const encoder = new MessagePackEncoder();

export const bigints = false; // it does not take them

export const write = (root) => encoder.encode(root);
