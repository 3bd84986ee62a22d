import { BsonDecoder } from "@jsonjoy.com/json-pack/lib/bson/index.js";

export const read = (data, { rootIsArray }) => {
  const document = new BsonDecoder().decode(data);
  return rootIsArray ? Object.values(document) : document;
};
