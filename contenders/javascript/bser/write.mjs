import { dumpToBuffer } from "bser";

export const write = (root) => dumpToBuffer(root);
