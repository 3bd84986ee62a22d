import { readFileSync } from "node:fs";
import protobuf from "protobufjs";

const source = readFileSync(new URL("./schemas/records/records.proto", import.meta.url), "utf8");

export const type = protobuf.parse(source).root.lookupType("Items");
