import { Type } from "js-binary";

const names = {
  int64: "int",
  uint64: "uint",
  double: "float",
  text: "string",
  bytes: "Buffer",
  date: "date",
};

export const kinds = Object.fromEntries(
  Object.entries(names).map(([kind, name]) => {
    const type = new Type({ value: name });
    return [kind, { write: (root) => type.encode(root), read: (data) => type.decode(data) }];
  }),
);
