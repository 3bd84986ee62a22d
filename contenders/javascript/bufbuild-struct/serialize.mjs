import { toBinary } from "@bufbuild/protobuf";
import { type } from "./type.mjs";

export { read } from "./tree.mjs";

export const write = (message) => toBinary(type, message);
