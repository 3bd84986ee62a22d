export { read } from "./getters.mjs";

export const write = (message) => message.serializeBinary();
