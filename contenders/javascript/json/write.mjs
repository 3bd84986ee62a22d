export const libraryVersion = () => process.versions.v8;

export const write = (root) => JSON.stringify(root);
