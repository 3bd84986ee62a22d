import { Packr } from "msgpackr";

export { libraryVersion } from "./version.mjs";

const packr = new Packr({ useRecords: false });
let buffer = Buffer.allocUnsafeSlow(8192);

export const write = (root) => {
  packr.useBuffer(buffer);
  const packed = packr.pack(root);
  // It did not fit, so the library made a buffer of its own.
  if (packed.buffer !== buffer.buffer) buffer = Buffer.allocUnsafeSlow(2 * packed.length);
  return packed;
};
