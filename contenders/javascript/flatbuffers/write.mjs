import { Builder } from "flatbuffers";
import { ItemsT, ItemT } from "./records.mjs";

// It packs objects of its own classes only: making them of the plain objects is part of encoding.
export const write = (root) => {
  const builder = new Builder();
  const items = new ItemsT(root.items.map(({ x, y, z }) => new ItemT(x, y, z)));
  builder.finish(items.pack(builder));
  return builder.asUint8Array();
};
