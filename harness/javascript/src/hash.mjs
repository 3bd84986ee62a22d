/**
 * The two hashes of a value tree, content_hash and exact_hash (docs/tape.md), in 32-bit arithmetic.
 *
 * A contender with a decoded form of its own calls one method for each value that it meets, in document
 * order: the scalars as they come, a container's elements (for a map: key, value, key, value ...) before
 * its count. All others leave it to `value`, which walks ordinary JavaScript values.
 */
const float = new Float64Array(1);
const words = new Int32Array(float.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;
const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;
const ANY_DOUBLE = 43013;

const encoder = new TextEncoder();
let scratch = new Uint8Array(1 << 16);
let scratchView = new DataView(scratch.buffer);
/** From this length on encoding a string is faster than looking at its characters. */
const LONG = 64;

/**
 * Mixes the bytes from 0 to `length` into a state, their number first.
 * @param {number} state
 * @param {DataView} view
 * @param {number} length
 */
function mixBytes(state, view, length) {
  let h = Math.imul(state, 31) ^ length;
  const whole = length & ~3;
  for (let i = 0; i < whole; i += 4) h = Math.imul(h, 31) ^ view.getInt32(i, true);
  if (whole < length) {
    let word = view.getUint8(whole);
    if (whole + 1 < length) word |= view.getUint8(whole + 1) << 8;
    if (whole + 2 < length) word |= view.getUint8(whole + 2) << 16;
    h = Math.imul(h, 31) ^ word;
  }
  return h;
}

/**
 * Mixes a string that is long, or not all ASCII, as UTF-8.
 * @param {number} state
 * @param {string} text
 */
function mixEncoded(state, text) {
  if (text.length * 3 > scratch.length) {
    scratch = new Uint8Array(text.length * 3);
    scratchView = new DataView(scratch.buffer);
  }
  return mixBytes(state, scratchView, encoder.encodeInto(text, scratch).written);
}

/**
 * Mixes a string's UTF-8 bytes into a state. Four characters make a word as long as all are ASCII.
 * @param {number} state
 * @param {string} text
 */
function mixText(state, text) {
  const length = text.length;
  if (length >= LONG) return mixEncoded(state, text);
  let h = Math.imul(state, 31) ^ length;
  let seen = 0;
  const whole = length & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    seen |= a | b | c | d;
    h = Math.imul(h, 31) ^ (a | (b << 8) | (c << 16) | (d << 24));
  }
  if (i < length) {
    let word = 0;
    for (let shift = 0; i < length; i++, shift += 8) {
      const code = text.charCodeAt(i);
      seen |= code;
      word |= code << shift;
    }
    h = Math.imul(h, 31) ^ word;
  }
  return seen < 128 ? h : mixEncoded(state, text);
}

/** One of the two hashes, mixed value by value. */
export class Hash {
  /** @param {boolean} exact whether the bits of a double are mixed, or a constant for every double */
  constructor(exact) {
    this.exact = exact;
    this.state = 15373;
    /** @type {import("./seen.mjs").Seen | import("./calls.mjs").Calls | null} gets every call, but in no timed one */
    this.seen = null;
  }

  /** The hash as eight hex digits. */
  get text() {
    return (this.state >>> 0).toString(16).padStart(8, "0");
  }

  nil() {
    if (this.seen !== null) this.seen.nil();
    this.state = mixText(Math.imul(this.state, 31), "nil");
  }

  /** @param {boolean} value */
  boolean(value) {
    if (this.seen !== null) this.seen.boolean(value);
    this.state = Math.imul(this.state, 31) ^ (value ? 1 : 0);
  }

  /**
   * Ends an array or a map: the number of its elements or entries.
   * @param {number} count
   */
  count(count) {
    if (this.seen !== null) this.seen.count(count);
    this.state = Math.imul(this.state, 31) ^ count;
  }

  /**
   * A number: one with an integral value within +-2^53, other than -0, counts as that integer.
   * @param {number} value
   */
  number(value) {
    if (this.seen !== null) this.seen.number(value);
    if (value >= -TWO_53 && value <= TWO_53 && Math.floor(value) === value && !Object.is(value, -0)) {
      this.#words(Math.floor(value / TWO_32) | 0, value | 0);
    } else if (this.exact) {
      float[0] = value;
      this.#words(words[HIGH], words[LOW]);
    } else {
      this.state = Math.imul(this.state, 31) ^ ANY_DOUBLE;
    }
  }

  /** @param {bigint} value an integer from -2^63 to 2^64 - 1 */
  bigint(value) {
    if (this.seen !== null) this.seen.bigint(value);
    this.#words(Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value)));
  }

  /** @param {string} text a string or a key */
  string(text) {
    if (this.seen !== null) this.seen.string(text);
    this.state = mixText(this.state, text);
  }

  /** @param {Uint8Array} bytes an encoded form */
  bytes(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.state = mixBytes(this.state, view, bytes.length);
  }

  /** @param {Int32Array} words what is mixed as it is */
  words(words) {
    let h = this.state;
    for (let i = 0; i < words.length; i++) h = Math.imul(h, 31) ^ words[i];
    this.state = h;
  }

  /**
   * Any ordinary JavaScript value, and all that it contains: every getter among its own properties is called.
   * @param {unknown} value
   */
  value(value) {
    switch (typeof value) {
      case "string":
        this.string(value);
        return;
      case "number":
        this.number(value);
        return;
      case "boolean":
        this.boolean(value);
        return;
      case "bigint":
        this.bigint(value);
        return;
      case "object":
        if (value === null) this.nil();
        else if (Array.isArray(value)) this.#array(value);
        else if (value instanceof Map) this.#map(value);
        else this.#object(/** @type {Record<string, unknown>} */ (value));
        return;
      default:
        throw new TypeError(`the decoded data contain a ${typeof value}`);
    }
  }

  /**
   * @param {number} high
   * @param {number} low
   */
  #words(high, low) {
    this.state = Math.imul(Math.imul(this.state, 31) ^ high, 31) ^ low;
  }

  /** @param {unknown[]} items */
  #array(items) {
    const length = items.length;
    for (let i = 0; i < length; i++) this.value(items[i]);
    this.count(length);
  }

  /** @param {Map<unknown, unknown>} entries */
  #map(entries) {
    for (const [key, value] of entries) {
      if (typeof key !== "string")
        throw new TypeError(`the decoded data contain a key that is a ${typeof key}`);
      this.string(key);
      this.value(value);
    }
    this.count(entries.size);
  }

  /** @param {Record<string, unknown>} object */
  #object(object) {
    if (ArrayBuffer.isView(object))
      throw new TypeError(`the decoded data contain a ${object.constructor.name}`);
    const keys = Object.keys(object);
    const length = keys.length;
    for (let i = 0; i < length; i++) {
      this.string(keys[i]);
      this.value(object[keys[i]]);
    }
    this.count(length);
  }
}
