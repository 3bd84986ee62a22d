import { Builder } from "flatbuffers";

export { read } from "./tree.mjs";

export const write = (items) => {
  const builder = new Builder();
  builder.finish(items.pack(builder));
  return builder.asUint8Array();
};
