/** What every look-up pays even if finding cost nothing: hashing the values, which are the harness's tree. */
export const read = (_data, work) => ({ values: work.root, next: 0 });

export const find = (document) => document.values[document.next++];
