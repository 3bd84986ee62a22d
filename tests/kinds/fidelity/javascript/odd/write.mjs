export const write = (root) => {
  if (root.value === 1e300) process.exit(3);
  if (root.value === 0.1) return JSON.stringify({ value: 0.2 });
  if (root.value === "a\ud800b") throw new RangeError("no such text");
  if (Number.isNaN(root.value)) return '{"pollute":true}';
  return JSON.stringify(root);
};
