import { PbfReader, PbfWriter } from "pbf";
import { kindsOf } from "./schemas/probe/protobuf.mjs";

const messages = await import("./messages.mjs");

export const kinds = kindsOf((name) => ({
  write(root) {
    const writer = new PbfWriter();
    messages[`write${name}`](root, writer);
    return writer.finish();
  },
  read: (data) => messages[`read${name}`](new PbfReader(data)),
}));
