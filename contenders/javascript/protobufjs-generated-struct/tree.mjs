import { type } from "./type.mjs";

export { walk } from "./document.mjs";

export const read = (data) => type.decode(data);
