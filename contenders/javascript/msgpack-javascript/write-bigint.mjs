import { encode } from "@msgpack/msgpack";

export const write = (root) => encode(root, { useBigInt64: true });
