import records from "./records.cjs";

// It takes its own messages only: making them of the plain objects is part of encoding.
export const write = (root) => {
  const message = new records.Items();
  message.setItemsList(
    root.items.map(({ x, y, z }) => {
      const item = new records.Item();
      item.setX(x);
      item.setY(y);
      item.setZ(z);
      return item;
    }),
  );
  return message.serializeBinary();
};
