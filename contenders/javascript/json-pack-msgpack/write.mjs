import { MessagePackEncoder } from "@jsonjoy.com/json-pack/lib/msgpack/index.js";

export const bigints = false; // it does not take them

export const write = (root) => new MessagePackEncoder().encode(root);
