import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const source = readFileSync(new URL("./schemas/probe/probe.proto", import.meta.url), "utf8");
const { root: types } = protobuf.parse(source);

export const kinds = kindsOf((name) => {
  const type = types.lookupType(name);
  return { write: (root) => type.encode(root).finish(), read: (data) => type.decode(data) };
});
