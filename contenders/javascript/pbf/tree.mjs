import { PbfReader } from "pbf";
import { readItems } from "./records.mjs";

export { walk } from "./schemas/records/walk.mjs";

export const read = (data) => readItems(new PbfReader(data));
