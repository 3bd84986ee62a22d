export const read = (data) =>
  JSON.parse(data.toString(), (_key, value) => (typeof value === "number" ? Math.fround(value) : value));
