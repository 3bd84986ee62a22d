export { read } from "./tree.mjs";

export const write = (message) => message.serializeBinary();
