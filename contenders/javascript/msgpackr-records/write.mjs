import { Packr } from "msgpackr";

// A new one each time: structures that it remembers would be missing from the next output.
export const write = (root) => new Packr({ useRecords: true }).pack(root);
