import { Type } from "js-binary";

// Its schema has numbers in arrays only.
const type = new Type(["float"]);

export const kinds = {
  double: { write: ({ value }) => type.encode([value]), read: (data) => ({ value: type.decode(data)[0] }) },
};
