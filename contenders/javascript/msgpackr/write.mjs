import { pack } from "msgpackr";

export { libraryVersion } from "./version.mjs";

export const write = (root) => pack(root);
