import build from "fast-json-stringify";

const types = {
  int64: { type: "integer" },
  uint64: { type: "integer" },
  double: { type: "number" },
  text: { type: "string" },
  date: { type: "string", format: "date-time" },
  map: {
    type: "object",
    additionalProperties: { type: "object", properties: { polluted: { type: "number" } } },
  },
};

// It only writes: its text is read by JSON.parse, which takes every integer as a double.
export const kinds = Object.fromEntries(
  Object.entries(types).map(([kind, type]) => [
    kind,
    {
      write: build({ type: "object", properties: { value: type } }),
      read: (data) => JSON.parse(data.toString("utf8")),
    },
  ]),
);
