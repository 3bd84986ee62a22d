import { encode } from "cbor-x";

export { libraryVersion } from "./version.mjs";

export const write = (root) => encode(root);
