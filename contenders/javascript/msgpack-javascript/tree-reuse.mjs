import { Decoder } from "@msgpack/msgpack";

const decoder = new Decoder();

export const read = (data) => decoder.decode(data);
