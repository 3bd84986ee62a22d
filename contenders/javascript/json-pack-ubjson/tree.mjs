import { UbjsonDecoder } from "@jsonjoy.com/json-pack/lib/ubjson/index.js";

export const read = (data) => new UbjsonDecoder().decode(data);
