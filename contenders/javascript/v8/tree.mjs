import { deserialize } from "node:v8";

export const libraryVersion = () => process.versions.v8;

export const read = (data) => deserialize(data);
