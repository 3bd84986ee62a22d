import avro from "avsc";
import { avro as schemas } from "./schemas/probe/avro.mjs";

export const kinds = Object.fromEntries(
  Object.entries(schemas).map(([kind, schema]) => {
    const type = avro.Type.forSchema(schema);
    return [kind, { write: (root) => type.toBuffer(root), read: (data) => type.fromBuffer(data) }];
  }),
);
