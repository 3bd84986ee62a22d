import { fill } from "./document.mjs";

// It takes its own messages only: making them of the plain objects is part of encoding.
export const write = (root) => fill(root).serializeBinary();
