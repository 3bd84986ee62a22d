import { encode } from "@msgpack/msgpack";

// Its depth of 100 is raised too, so that this variant takes whatever its reader does.
export const write = (root) => encode(root, { useBigInt64: true, maxDepth: 1100 });
