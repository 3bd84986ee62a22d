/** Records with a getter, a further property, a hidden one, and without their zeros. */
class Item {
  constructor({ x, y, z }) {
    this.inner = x;
    this.y = y;
    if (z !== 0) this.z = z;
    this.extra = true;
  }

  get x() {
    return this.inner;
  }
}

export function read(data) {
  const value = JSON.parse(data.toString("utf8"));
  if (value.pollute) Object.assign(Object.prototype, { oddity: 1 });
  else delete Object.prototype.oddity;
  if (value.items) value.items = value.items.map((item) => new Item(item));
  Object.defineProperty(value, "hidden", { value: 1, enumerable: false });
  return value;
}
