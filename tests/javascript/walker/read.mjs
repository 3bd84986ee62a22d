/** Not a library: the harness's own values, so that its tape reader and its hashes are tested. */
export const read = (_data, work) => work.root;
