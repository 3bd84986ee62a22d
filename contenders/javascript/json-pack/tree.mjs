import { JsonDecoder } from "@jsonjoy.com/json-pack/lib/json/index.js";

export const read = (data) => new JsonDecoder().decode(data);
