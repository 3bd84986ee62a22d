import { encode } from "cborg";

// Its default sorts the keys of every map; the document's own order must come out.
export const write = (root) => encode(root, { mapSorter: undefined });
