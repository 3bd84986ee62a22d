import { readFileSync } from "node:fs";
import protons from "protons-1";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const types = protons(readFileSync(new URL("./schemas/probe/probe.proto", import.meta.url), "utf8"));

export const kinds = kindsOf((name) => ({
  write: (root) => types[name].encode(root),
  read: (data) => types[name].decode(data),
}));
