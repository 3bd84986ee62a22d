import avro from "avro-js";
import { avro as schemas } from "./schemas/probe/avro.mjs";

export const kinds = Object.fromEntries(
  Object.entries(schemas).map(([kind, schema]) => {
    const type = avro.parse(schema);
    return [kind, { write: (root) => type.toBuffer(root), read: (data) => type.fromBuffer(data) }];
  }),
);
