import { BsonDecoder } from "@jsonjoy.com/json-pack/lib/bson/index.js";

const decoder = new BsonDecoder();

export const read = (data, { rootIsArray }) => {
  const document = decoder.decode(data);
  return rootIsArray ? Object.values(document) : document;
};
