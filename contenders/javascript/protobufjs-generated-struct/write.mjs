import { type } from "./type.mjs";

export { fill as make } from "./document.mjs";

export const write = (root) => type.encode(root).finish();
