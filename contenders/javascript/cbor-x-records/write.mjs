import { Encoder } from "cbor-x";

// A new one each time: structures that it remembers would be missing from the next output.
export const write = (root) => new Encoder({ useRecords: true }).encode(root);
