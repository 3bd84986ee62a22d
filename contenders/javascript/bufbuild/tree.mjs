import { fromBinary } from "@bufbuild/protobuf";
import { ItemsSchema } from "./records.mjs";
export { walk } from "./walk.mjs";

export const read = (data) => fromBinary(ItemsSchema, data);
