/** What a reader saw: every call of the hash in order, as docs/protocol.md describes the file. */
import { closeSync, openSync, writeSync } from "node:fs";

const ROOM = 1 << 16;

/** A file of calls that is being written. */
export class Seen {
  /** @param {string} path */
  constructor(path) {
    this.file = openSync(path, "w");
    this.buffer = Buffer.alloc(ROOM);
    this.at = 0;
  }

  /**
   * Begins a call, which takes `bytes` after its tag and fits into the buffer.
   * @param {string} tag
   * @param {number} bytes
   */
  #begin(tag, bytes) {
    if (this.at + 1 + bytes > ROOM) this.#flush();
    this.buffer[this.at] = tag.charCodeAt(0);
    const place = this.at + 1;
    this.at = place + bytes;
    return place;
  }

  #flush() {
    this.#write(this.buffer.subarray(0, this.at));
    this.at = 0;
  }

  /** @param {Uint8Array} bytes */
  #write(bytes) {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
  }

  nil() {
    this.#begin("n", 0);
  }

  /** @param {boolean} value */
  boolean(value) {
    this.#begin(value ? "t" : "f", 0);
  }

  /** @param {number} value */
  number(value) {
    this.buffer.writeDoubleLE(value, this.#begin("d", 8));
  }

  /** @param {bigint} value */
  bigint(value) {
    this.buffer.writeBigUInt64LE(BigInt.asUintN(64, value), this.#begin(value < 0n ? "i" : "u", 8));
  }

  /** @param {string} text */
  string(text) {
    const size = Buffer.byteLength(text);
    if (size > ROOM - 5) {
      this.buffer.writeUInt32LE(size, this.#begin("s", 4));
      this.#flush();
      this.#write(Buffer.from(text));
    } else {
      const place = this.#begin("s", 4 + size);
      this.buffer.writeUInt32LE(size, place);
      this.buffer.write(text, place + 4);
    }
  }

  /** @param {number} count */
  count(count) {
    this.buffer.writeUInt32LE(count, this.#begin("e", 4));
  }

  close() {
    this.#flush();
    closeSync(this.file);
  }
}
