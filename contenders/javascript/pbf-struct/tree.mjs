import { PbfReader } from "pbf";
import { decode } from "./type.mjs";

export { walk } from "./document.mjs";

export const read = (data) => decode(new PbfReader(data));
