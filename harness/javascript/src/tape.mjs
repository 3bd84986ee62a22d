/** The tape (docs/tape.md) as ordinary JavaScript values. */
import { readFileSync } from "node:fs";

const MAGIC = "sbtape1\n";
const HEADER_BYTES = 40;

/**
 * @typedef {object} Tape
 * @property {unknown} root objects, arrays, strings, booleans, null; numbers, and BigInts beyond 2^53 - 1
 * @property {number} doubles how many of its numbers stand on the tape as doubles
 */

/** Reads one tape, and counts what its header says. */
class Reader {
  /** @param {Buffer} data */
  constructor(data) {
    this.data = data;
    this.at = HEADER_BYTES;
    this.values = 0;
    this.entries = 0;
    this.stringBytes = 0;
    this.depth = 0;
    this.doubles = 0;
  }

  length() {
    const length = this.data.readUInt32LE(this.at);
    this.at += 4;
    return length;
  }

  text() {
    const length = this.length();
    const start = this.at;
    this.at += length;
    if (this.at > this.data.length) throw new RangeError("the tape ends too early");
    this.stringBytes += length;
    return this.data.toString("utf8", start, this.at);
  }

  /** @param {bigint} number */
  static integer(number) {
    const near = Number(number);
    return Number.isSafeInteger(near) ? near : number;
  }

  /**
   * @param {number} depth
   * @returns {unknown}
   */
  value(depth) {
    const tag = String.fromCharCode(this.data.readUInt8(this.at));
    this.at += 1;
    this.values += 1;
    switch (tag) {
      case "n":
        return null;
      case "f":
        return false;
      case "t":
        return true;
      case "s":
        return this.text();
      case "a":
        return this.array(depth + 1);
      case "m":
        return this.map(depth + 1);
    }
    this.at += 8;
    switch (tag) {
      case "i":
        return Reader.integer(this.data.readBigInt64LE(this.at - 8));
      case "u":
        return Reader.integer(this.data.readBigUInt64LE(this.at - 8));
      case "d":
        this.doubles += 1;
        return this.data.readDoubleLE(this.at - 8);
      default:
        throw new RangeError(`the tape has the unknown tag '${tag}'`);
    }
  }

  /** @param {number} depth */
  array(depth) {
    this.depth = Math.max(this.depth, depth);
    const count = this.length();
    const items = [];
    for (let i = 0; i < count; i++) items.push(this.value(depth));
    return items;
  }

  /** @param {number} depth */
  map(depth) {
    this.depth = Math.max(this.depth, depth);
    const count = this.length();
    this.entries += count;
    /** @type {Record<string, unknown>} */
    const object = {};
    for (let i = 0; i < count; i++) {
      const key = this.text();
      const value = this.value(depth);
      if (key === "__proto__")
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
    }
    return object;
  }
}

/**
 * The value tree of a tape.
 * @param {string} path
 * @returns {Tape}
 */
export function readTape(path) {
  const data = readFileSync(path);
  if (data.length < HEADER_BYTES || data.toString("latin1", 0, 8) !== MAGIC)
    throw new RangeError("it is not a tape of this version");
  const reader = new Reader(data);
  const root = reader.value(0);
  if (reader.at !== data.length) throw new RangeError("bytes follow the root of the tape");
  const found = [reader.values, reader.entries, reader.stringBytes, reader.depth];
  const stated = [8, 16, 24, 32].map((at) => Number(data.readBigUInt64LE(at)));
  if (found.some((count, i) => count !== stated[i])) throw new RangeError("the tape's counts are not exact");
  return { root, doubles: reader.doubles };
}
