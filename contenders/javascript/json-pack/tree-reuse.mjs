import { JsonDecoder } from "@jsonjoy.com/json-pack/lib/json/index.js";

const decoder = new JsonDecoder();

export const read = (data) => decoder.decode(data);
