import { deserialize } from "bson";

export const read = (data, { rootIsArray }) => {
  const document = deserialize(data);
  return rootIsArray ? Object.values(document) : document;
};
