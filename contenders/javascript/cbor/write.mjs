import cbor from "cbor";

// Without a size that is large enough, its output ends there, and nothing says so.
const OPTIONS = { highWaterMark: 2 ** 30, collapseBigIntegers: true };

export const write = (root) => cbor.encodeOne(root, OPTIONS);
