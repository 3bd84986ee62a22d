import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import protons from "protons-1";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const source = readFileSync(new URL("./schemas/probe/probe.proto", import.meta.url), "utf8");
const writers = protons(source);
const { root: readers } = protobuf.parse(source);

export const kinds = kindsOf((name) => ({
  write: (root) => writers[name].encode(root),
  read: (data) => readers.lookupType(name).decode(data),
}));
