import { create, toBinary } from "@bufbuild/protobuf";
import { type } from "./type.mjs";

export { fill as make } from "./document.mjs";

// It takes its own messages only: making them of the plain objects is part of encoding.
export const write = (root) => toBinary(type, create(type, root));
