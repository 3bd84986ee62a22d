/** Fields that are zero are not on the wire and may be no properties of their own: each is asked for by name. */
export function walk(value, hash) {
  hash.string("items");
  const { items } = value;
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
