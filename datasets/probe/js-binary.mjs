// js-binary's types of the values that `serbench fidelity` sends through a library.

import { Type } from "js-binary";

const names = {
  int64: "int",
  uint64: "uint",
  double: "float",
  text: "string",
  bytes: "Buffer",
  date: "date",
};

/** How each kind is written and read as the one field of an object: "value", or "value?" if it may be absent. */
export const kindsIn = (field) =>
  Object.fromEntries(
    Object.entries(names).map(([kind, name]) => {
      const type = new Type({ [field]: name });
      return [kind, { write: (root) => type.encode(root), read: (data) => type.decode(data) }];
    }),
  );
