import { serialize } from "node:v8";

export const libraryVersion = () => process.versions.v8;

export const write = (root) => serialize(root);
