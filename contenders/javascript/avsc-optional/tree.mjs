import { type } from "./type.mjs";

export const read = (data) => type.fromBuffer(data);

/** Fields that the data have not got come back as null: these are passed over, not counted. */
export function walk(value, hash) {
  hash.string("items");
  for (const item of value.items) {
    let count = 0;
    for (const key of Object.keys(item)) {
      if (item[key] === null) continue;
      hash.string(key);
      hash.number(item[key]);
      count++;
    }
    hash.count(count);
  }
  hash.count(value.items.length);
  hash.count(1);
}
