import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const messages = await import("./messages.mjs");

export const kinds = kindsOf((name) => {
  const schema = messages[`${name}Schema`];
  return {
    write: (root) => toBinary(schema, create(schema, root)),
    read: (data) => fromBinary(schema, data),
  };
});
