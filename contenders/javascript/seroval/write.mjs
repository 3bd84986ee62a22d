import { toJSON } from "seroval";

export const write = (root) => JSON.stringify(toJSON(root));
