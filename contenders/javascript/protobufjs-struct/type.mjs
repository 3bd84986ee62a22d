import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import { name } from "./document.mjs";

const source = readFileSync(new URL("./schemas/document.proto", import.meta.url), "utf8");

export const type = protobuf.parse(source, { keepCase: true }).root.lookupType(name);
