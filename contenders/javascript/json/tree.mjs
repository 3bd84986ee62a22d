export const libraryVersion = () => process.versions.v8;

export const read = (data) => JSON.parse(data.toString("utf8"));
