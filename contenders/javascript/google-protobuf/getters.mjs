import records from "./records.cjs";

export const read = (data) => records.Items.deserializeBinary(data);

export function walk(value, hash) {
  const items = value.getItemsList();
  hash.string("items");
  for (const item of items) {
    hash.string("x");
    hash.number(item.getX());
    hash.string("y");
    hash.number(item.getY());
    hash.string("z");
    hash.number(item.getZ());
    hash.count(3);
  }
  hash.count(items.length);
  hash.count(1);
}
