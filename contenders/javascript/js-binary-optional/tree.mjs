import { type } from "./type.mjs";

export const read = (data) => type.decode(data);

/** Fields that the data have not got come back as undefined: these are passed over, not counted. */
export function walk(value, hash) {
  hash.string("items");
  for (const item of value.items) {
    let count = 0;
    for (const key of Object.keys(item)) {
      if (item[key] === undefined) continue;
      hash.string(key);
      hash.number(item[key]);
      count++;
    }
    hash.count(count);
  }
  hash.count(value.items.length);
  hash.count(1);
}
