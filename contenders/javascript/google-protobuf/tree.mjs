import records from "./records.cjs";

export const read = (data) => records.Items.deserializeBinary(data).toObject();

/** A list's name has "List" behind it. */
export function walk(value, hash) {
  hash.string("items");
  hash.value(value.itemsList);
  hash.count(1);
}
