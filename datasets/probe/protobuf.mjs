/** The messages of probe.proto, by the kind of value that each takes. */
export const messages = {
  int64: "Int64",
  uint64: "Uint64",
  double: "Double",
  text: "Text",
  bytes: "Bytes",
  map: "Entries",
};

/**
 * How to write and read each kind.
 * @param {(name: string) => { write: (root: any) => Uint8Array, read: (data: Buffer) => unknown }} of the
 *   message's name
 */
export const kindsOf = (of) =>
  Object.fromEntries(Object.entries(messages).map(([kind, name]) => [kind, of(name)]));
