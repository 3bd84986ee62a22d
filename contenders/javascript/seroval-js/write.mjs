import { serialize } from "seroval";

export const write = (root) => serialize(root);
