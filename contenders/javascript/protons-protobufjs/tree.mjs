import { type } from "./protobufjs.mjs";
export { walk } from "./walk.mjs";

export const read = (data) => type.decode(data);
