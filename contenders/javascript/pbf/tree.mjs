import { PbfReader } from "pbf";
import { readItems } from "./records.mjs";
export { walk } from "./walk.mjs";

export const read = (data) => readItems(new PbfReader(data));
