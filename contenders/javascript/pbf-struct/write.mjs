import { PbfWriter } from "pbf";
import { encode } from "./type.mjs";

export { fill as make } from "./document.mjs";

export const write = (root) => {
  const writer = new PbfWriter();
  encode(root, writer);
  return writer.finish();
};
