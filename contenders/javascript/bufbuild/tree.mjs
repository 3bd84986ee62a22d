import { fromBinary } from "@bufbuild/protobuf";
import { ItemsSchema } from "./records.mjs";

export { walk } from "./schemas/records/walk.mjs";

export const read = (data) => fromBinary(ItemsSchema, data);
