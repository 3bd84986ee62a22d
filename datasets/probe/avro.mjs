/** The Avro schemas of the values that are probed, by kind: records with one field, `value`. */
const inner = { type: "record", name: "Inner", fields: [{ name: "polluted", type: "double" }] };

export const avro = Object.fromEntries(
  Object.entries({
    int64: "long",
    double: "double",
    text: "string",
    bytes: "bytes",
    map: { type: "map", values: inner },
  }).map(([kind, type]) => [kind, { type: "record", name: "Value", fields: [{ name: "value", type }] }]),
);
