import avro from "avsc";
import { avro as schemas } from "./schemas/probe/avro.mjs";

const optional = ({ name, fields: [{ type }] }) => ({
  type: "record",
  name,
  fields: [{ name: "value", type: ["null", type], default: null }],
});

export const kinds = Object.fromEntries(
  Object.entries(schemas).map(([kind, schema]) => {
    const type = avro.Type.forSchema(optional(schema));
    return [kind, { write: (root) => type.toBuffer(root), read: (data) => type.fromBuffer(data) }];
  }),
);
