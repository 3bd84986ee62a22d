import { Items } from "./type.mjs";

export { walk } from "./schemas/records/walk.mjs";

export const read = (data) => Items.decode(data);
