import { type } from "./type.mjs";

export { walk } from "./schemas/document.mjs";

export const read = (data) => type.fromBuffer(data);
