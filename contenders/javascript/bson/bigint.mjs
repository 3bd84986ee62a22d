import { deserialize } from "bson";

export const read = (data, { rootIsArray }) => {
  const document = deserialize(data, { useBigInt64: true });
  return rootIsArray ? Object.values(document) : document;
};
