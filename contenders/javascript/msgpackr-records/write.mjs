import { Packr } from "msgpackr";

// Its outputs stand alone: only `sequential` and shared structures refer to earlier ones.
const packr = new Packr();

export const write = (root) => packr.pack(root);
