import { type } from "./type.mjs";

export { read } from "./tree.mjs";

export const write = (message) => type.encode(message).finish();
