import { type } from "./type.mjs";

export { walkPresent as walk } from "./schemas/records/walk.mjs";

export const read = (data) => type.fromBuffer(data);
