import { kindsOf } from "./schemas/probe/protobuf.mjs";

const messages = await import("./messages.mjs");

export const kinds = kindsOf((name) => ({
  write: (root) => messages[name].encode(root),
  read: (data) => messages[name].decode(data),
}));
