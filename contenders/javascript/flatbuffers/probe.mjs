import { Builder, ByteBuffer } from "flatbuffers";

const messages = await import("./messages.mjs");

const codec = (name) => ({
  write({ value }) {
    const builder = new Builder();
    const Plain = messages[`${name}T`];
    builder.finish(new Plain(value instanceof Uint8Array ? [...value] : value).pack(builder));
    return builder.asUint8Array();
  },
  read: (data) => messages[name][`getRootAs${name}`](new ByteBuffer(data)).unpack(),
});

export const kinds = Object.fromEntries(
  ["Int64", "Uint64", "Double", "Text", "Bytes"].map((name) => [name.toLowerCase(), codec(name)]),
);
