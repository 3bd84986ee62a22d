import avro from "avsc";

// Its schema has numbers in arrays only.
const type = avro.Type.forSchema({ type: "array", items: "double" });

export const kinds = {
  double: {
    write: ({ value }) => type.toBuffer([value]),
    read: (data) => ({ value: type.fromBuffer(data)[0] }),
  },
};
