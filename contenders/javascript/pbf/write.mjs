import { PbfWriter } from "pbf";
import { writeItems } from "./records.mjs";

export const write = (root) => {
  const writer = new PbfWriter();
  writeItems(root, writer);
  return writer.finish();
};
