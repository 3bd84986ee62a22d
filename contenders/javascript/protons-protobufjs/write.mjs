import { Items } from "./protons.mjs";

export const write = (root) => Items.encode(root);
