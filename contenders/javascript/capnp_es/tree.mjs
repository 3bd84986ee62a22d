import { Message } from "capnp-es";
import { Root } from "./tables.mjs";

export { walk } from "./tables.mjs";

export const read = (data) => new Message(data, false).getRoot(Root);
