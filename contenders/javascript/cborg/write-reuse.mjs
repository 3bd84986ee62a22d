import { encodeInto } from "cborg";

const options = { mapSorter: undefined };
let buffer = new Uint8Array(1024);

export const write = (root) => {
  for (;;) {
    try {
      const { written } = encodeInto(root, buffer, options);
      return buffer.subarray(0, written);
    } catch (error) {
      if (!error.message.endsWith("buffer is too small")) throw error;
      buffer = new Uint8Array(2 * buffer.length);
    }
  }
};
