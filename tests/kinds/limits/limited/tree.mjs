export const read = (data) => {
  const root = JSON.parse(data.toString("utf8"));
  if (root.items.length >= 10_000) root.items[9_999].x = 0;
  return root;
};
