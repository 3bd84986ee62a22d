import { type } from "./type.mjs";
export { walk } from "./walk.mjs";

export const read = (data) => type.decode(data);
