export { libraryVersion } from "./version.mjs";

export const read = (data) => JSON.parse(data.toString("utf8"));
