import { Items } from "./records.mjs";

export { walk } from "./schemas/records/walk.mjs";

export const read = (data) => Items.decode(data);
