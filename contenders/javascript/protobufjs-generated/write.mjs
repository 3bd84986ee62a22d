import { Items } from "./records.mjs";

export const write = (root) => Items.encode(root).finish();
