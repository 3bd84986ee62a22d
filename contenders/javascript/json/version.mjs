/** The version of the engine: JavaScriptCore's has no numbers, and Bun states V8's as well. */
export const libraryVersion = () => process.versions.webkit ?? process.versions.v8;
