import { type } from "./protobufjs.mjs";

export { walk } from "./schemas/records/walk.mjs";

export const read = (data) => type.decode(data);
