import { Builder } from "flatbuffers";
import { pack } from "./tables.mjs";

export { make } from "./tables.mjs";

export const write = (root) => {
  const builder = new Builder();
  builder.finish(pack(builder, root));
  return builder.asUint8Array();
};
