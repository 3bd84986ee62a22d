import { fromBinary } from "@bufbuild/protobuf";
import { type } from "./type.mjs";

export { walk } from "./document.mjs";

export const read = (data) => fromBinary(type, data);
