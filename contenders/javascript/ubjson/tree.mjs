import { decode } from "@shelacek/ubjson";

const text = new TextDecoder();
const options = {
  int64Handling: ({ view }, at) => view.getBigInt64(at),
  highPrecisionNumberHandling: ({ array }, at, length) =>
    BigInt(text.decode(array.subarray(at, at + length))),
};

// It takes an ArrayBuffer only.
export const read = (data) =>
  decode(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), options);
