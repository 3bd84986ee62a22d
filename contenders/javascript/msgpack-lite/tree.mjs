import msgpack from "msgpack-lite";

export const read = (data) => msgpack.decode(data);
