export { libraryVersion } from "./version.mjs";

export const bigints = false; // it does not take them

export const write = (root) => JSON.stringify(root);
