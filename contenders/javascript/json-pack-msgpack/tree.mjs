import { MessagePackDecoder } from "@jsonjoy.com/json-pack/lib/msgpack/index.js";

export const read = (data) => new MessagePackDecoder().decode(data);
