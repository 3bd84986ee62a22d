/** Framed files, of many messages (docs/protocol.md): magic, their number, the size of each, and the messages. */
const MAGIC = "sbmsgs1\n";
const HEAD = 16;

/**
 * The file of some messages.
 * @param {Buffer[]} messages
 */
export function frame(messages) {
  const head = Buffer.alloc(HEAD + 8 * messages.length);
  head.write(MAGIC, "latin1");
  head.writeBigUInt64LE(BigInt(messages.length), 8);
  messages.forEach((message, i) => {
    head.writeBigUInt64LE(BigInt(message.length), HEAD + 8 * i);
  });
  return Buffer.concat([head, ...messages]);
}

/**
 * The messages of a file.
 * @param {Buffer} file
 */
export function unframe(file) {
  if (file.length < HEAD || file.toString("latin1", 0, 8) !== MAGIC)
    throw new RangeError("the input is not a file of messages");
  const count = Number(file.readBigUInt64LE(8));
  let at = HEAD + 8 * count;
  const messages = [];
  for (let i = 0; i < count; i++) {
    const size = Number(file.readBigUInt64LE(HEAD + 8 * i));
    messages.push(file.subarray(at, at + size));
    at += size;
  }
  if (at !== file.length) throw new RangeError("the sizes of the messages are not those of the input");
  return messages;
}
