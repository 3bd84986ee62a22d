import { ByteBuffer } from "flatbuffers";
import { Root } from "./tables.mjs";

export { walk } from "./tables.mjs";

export const read = (data) => Root(new ByteBuffer(data));
