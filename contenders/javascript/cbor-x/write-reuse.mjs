import { Encoder } from "cbor-x";

export { libraryVersion } from "./version.mjs";

const encoder = new Encoder({ useRecords: false });
let buffer = Buffer.allocUnsafeSlow(8192);

export const write = (root) => {
  encoder.useBuffer(buffer);
  const encoded = encoder.encode(root);
  // It did not fit, so the library made a buffer of its own.
  if (encoded.buffer !== buffer.buffer) buffer = Buffer.allocUnsafeSlow(2 * encoded.length);
  return encoded;
};
