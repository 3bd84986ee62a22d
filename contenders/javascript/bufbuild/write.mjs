import { create, toBinary } from "@bufbuild/protobuf";
import { ItemsSchema } from "./records.mjs";

// It takes its own messages only: making them of the plain objects is part of encoding.
export const write = (root) => toBinary(ItemsSchema, create(ItemsSchema, root));
