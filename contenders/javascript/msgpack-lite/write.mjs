import msgpack from "msgpack-lite";

export const bigints = false; // it does not take them

export const write = (root) => msgpack.encode(root);
