/**
 * The values of decoded records by the names of their fields, for contenders whose messages are no plain
 * objects: fields that are zero may not be properties of their own.
 *
 * @param {{ items: { x: number, y: number, z: number }[] }} value
 * @param {import("../../harness/javascript/src/hash.mjs").Hash} hash
 */
export function walk({ items }, hash) {
  hash.string("items");
  for (const item of items) {
    hash.string("x");
    hash.number(item.x);
    hash.string("y");
    hash.number(item.y);
    hash.string("z");
    hash.number(item.z);
    hash.count(3);
  }
  hash.count(items.length);
  hash.count(1);
}

/**
 * The same of records with optional fields: those that are null or undefined are passed over.
 *
 * @param {{ items: Record<string, number | null | undefined>[] }} value
 * @param {import("../../harness/javascript/src/hash.mjs").Hash} hash
 */
export function walkPresent({ items }, hash) {
  hash.string("items");
  for (const item of items) {
    let count = 0;
    for (const key of Object.keys(item)) {
      const value = item[key];
      if (value === null || value === undefined) continue;
      hash.string(key);
      hash.number(value);
      count++;
    }
    hash.count(count);
  }
  hash.count(items.length);
  hash.count(1);
}
