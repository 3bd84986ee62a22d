import { Message } from "capnp-es";
import { fill, Root } from "../tables.mjs";

export const write = (root) => {
  const message = new Message();
  fill(message.initRoot(Root), root);
  return new Uint8Array(message.toPackedArrayBuffer());
};
