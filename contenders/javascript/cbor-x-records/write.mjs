import { Encoder } from "cbor-x";

// Its outputs stand alone: only `sequential` and shared structures refer to earlier ones.
const encoder = new Encoder();

export const write = (root) => encoder.encode(root);
