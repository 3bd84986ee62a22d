import { unpack } from "msgpackr";

export { libraryVersion } from "./version.mjs";

export const read = (data) => unpack(data);
