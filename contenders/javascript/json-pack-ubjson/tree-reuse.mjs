import { UbjsonDecoder } from "@jsonjoy.com/json-pack/lib/ubjson/index.js";

const decoder = new UbjsonDecoder();

export const read = (data) => decoder.decode(data);
