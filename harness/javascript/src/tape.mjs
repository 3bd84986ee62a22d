/** The tape (docs/tape.md) as ordinary JavaScript values. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

const MAGIC = "sbtape1\n";
const HEADER_BYTES = 40;
const ARRAY = 97;
const MOST_KNOWN_KEYS = 32;
const SHORT_ASCII = /^[\x20-\x7e]{1,16}$/;
/** @type {unknown[]} Its slices hold numbers side by side, as long as they get no others. */
const NO_NUMBERS = [];
/** @type {unknown[]} Its slices hold values of any kind as they are. */
const ANY = [null];

/**
 * The same number in the form that V8 gives its value: a small integer where it is one. An operation's result has
 * another form in interpreted than in compiled code, and `v8.serialize` writes what it finds; so the bytes
 * would depend on when the compiler was done.
 * @param {number} value
 */
function settled(value) {
  return Object.is(value | 0, value) ? value | 0 : value;
}

/**
 * The same array, with its numbers side by side if it has nothing else, as JSON.parse makes it. It is a copy of
 * an empty one, as V8 lets a literal begin in the form that others of the same place ended in.
 * @param {unknown[]} items
 */
function settledArray(items) {
  if (items.length === 0 || !items.every((item) => typeof item === "number")) return items;
  const numbers = NO_NUMBERS.slice();
  for (const item of items) numbers.push(item);
  return numbers;
}

/** Reads one tape, and counts what its header says. */
class Reader {
  /**
   * @param {Buffer} data
   * @param {boolean} bigints
   */
  constructor(data, bigints) {
    this.data = data;
    this.bigints = bigints;
    // Its methods are parts of the compiled code, which those of a Buffer are not.
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.at = HEADER_BYTES;
    this.values = 0;
    this.entries = 0;
    this.stringBytes = 0;
    this.depth = 0;
    /** @type {string[]} */
    this.keys = [];
  }

  length() {
    const length = this.view.getUint32(this.at, true);
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

  /**
   * A map's key. Most are short, and those of the map before at the same place: those are not made anew.
   * @param {number} place
   */
  key(place) {
    const known = this.keys[place];
    if (known !== undefined && this.isNext(known)) {
      this.at += 4 + known.length;
      this.stringBytes += known.length;
      return known;
    }
    const key = this.text();
    if (place < MOST_KNOWN_KEYS && SHORT_ASCII.test(key)) this.keys[place] = key;
    return key;
  }

  /** @param {string} text ASCII only */
  isNext(text) {
    const { data, view, at } = this;
    if (at + 4 + text.length > data.length || view.getUint32(at, true) !== text.length) return false;
    for (let i = 0; i < text.length; i++) {
      if (data[at + 4 + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /**
   * The integer that ends before the current place.
   * @param {boolean} signed
   */
  integer(signed) {
    const at = this.at - 8;
    const { view } = this;
    const high = signed ? view.getInt32(at + 4, true) : view.getUint32(at + 4, true);
    const near = high * 2 ** 32 + view.getUint32(at, true);
    if (Number.isSafeInteger(near) || !this.bigints) return settled(near);
    return signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  }

  /**
   * @param {number} depth
   * @returns {unknown}
   */
  value(depth) {
    const tag = this.view.getUint8(this.at);
    this.at += 1;
    this.values += 1;
    switch (tag) {
      case 110: // n
        return null;
      case 102: // f
        return false;
      case 116: // t
        return true;
      case 115: // s
        return this.text();
      case ARRAY:
        return this.array(depth + 1);
      case 109: // m
        return this.map(depth + 1);
    }
    this.at += 8;
    switch (tag) {
      case 105: // i
        return this.integer(true);
      case 117: // u
        return this.integer(false);
      case 100: // d
        return settled(this.view.getFloat64(this.at - 8, true));
      default:
        throw new RangeError(`the tape has the unknown tag '${String.fromCharCode(tag)}'`);
    }
  }

  /** @param {number} depth */
  array(depth) {
    this.depth = Math.max(this.depth, depth);
    const count = this.length();
    /** @type {unknown[]} */
    const items = ANY.slice(1);
    for (let i = 0; i < count; i++) items.push(this.value(depth));
    return settledArray(items);
  }

  /** @param {number} depth */
  map(depth) {
    this.depth = Math.max(this.depth, depth);
    const count = this.length();
    this.entries += count;
    /** @type {Record<string, unknown>} */
    const object = {};
    for (let i = 0; i < count; i++) {
      const key = this.key(i);
      const value = this.value(depth);
      if (key === "__proto__")
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
    }
    return object;
  }
}

/** @param {Buffer} data */
function checkHeader(data) {
  if (data.length < HEADER_BYTES || data.toString("latin1", 0, 8) !== MAGIC)
    throw new RangeError("it is not a tape of this version");
}

/**
 * Whether a tape's root is an array; reads no more of it.
 * @param {string} path
 */
export function rootIsArray(path) {
  const start = Buffer.alloc(HEADER_BYTES + 1);
  const file = openSync(path, "r");
  const length = readSync(file, start);
  closeSync(file);
  checkHeader(start.subarray(0, length));
  return start[HEADER_BYTES] === ARRAY;
}

/**
 * The value tree of a tape: objects, arrays, strings, booleans, null and numbers.
 * @param {string} path
 * @param {boolean} bigints whether integers beyond 2^53 - 1 are BigInts, or the numbers nearest to them
 * @returns {unknown}
 */
export function readTape(path, bigints) {
  const data = readFileSync(path);
  checkHeader(data);
  const reader = new Reader(data, bigints);
  const root = reader.value(0);
  if (reader.at !== data.length) throw new RangeError("bytes follow the root of the tape");
  const found = [reader.values, reader.entries, reader.stringBytes, reader.depth];
  const stated = [8, 16, 24, 32].map((at) => Number(data.readBigUInt64LE(at)));
  if (found.some((count, i) => count !== stated[i])) throw new RangeError("the tape's counts are not exact");
  return root;
}
