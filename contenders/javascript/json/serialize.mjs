export { libraryVersion, read } from "./tree.mjs";
export { write } from "./write.mjs";
