import { decode } from "cbor-x";

export { libraryVersion } from "./version.mjs";

export const read = (data) => decode(data);
