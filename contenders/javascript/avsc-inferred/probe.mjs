import { typeOf } from "./type.mjs";

const codec = {
  write: (root) => typeOf(root).toBuffer(root),
  read: (data, { root }) => typeOf(root).fromBuffer(data),
};

export const kinds = Object.fromEntries(
  ["int64", "uint64", "double", "text", "bytes", "map", "date", "any"].map((kind) => [kind, codec]),
);
