import { Items } from "./records.mjs";
export { walk } from "./walk.mjs";

export const read = (data) => Items.decode(data);
