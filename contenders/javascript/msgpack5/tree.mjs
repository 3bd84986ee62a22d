import msgpack5 from "msgpack5";

const { decode } = msgpack5();

export const read = (data) => decode(data);
