import { serialize } from "bson";

export const write = (root, { rootIsArray }) => serialize(rootIsArray ? { ...root } : root);
