import { type } from "./type.mjs";

export { make } from "./schemas/document.mjs";

export const write = (root) => type.toBuffer(root);
