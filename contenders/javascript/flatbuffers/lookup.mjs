import { ByteBuffer } from "flatbuffers";
import { Items } from "./records.mjs";

export const read = (data) => Items.getRootAsItems(new ByteBuffer(data));

/** Every step is a call: of the accessor with the key's name, or with the index. */
export function find(items, [list, index, field]) {
  const item = list === "items" && index < items.itemsLength() ? items.items(index) : null;
  return item !== null && ["x", "y", "z"].includes(field) ? item[field]() : undefined;
}
