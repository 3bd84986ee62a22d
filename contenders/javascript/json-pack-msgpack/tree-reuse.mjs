import { MessagePackDecoder } from "@jsonjoy.com/json-pack/lib/msgpack/index.js";

const decoder = new MessagePackDecoder();

export const read = (data) => decoder.decode(data);
