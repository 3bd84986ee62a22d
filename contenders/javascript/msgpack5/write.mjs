import msgpack5 from "msgpack5";

const { encode } = msgpack5();

export const bigints = false; // it does not take them

export const write = (root) => encode(root).slice();
