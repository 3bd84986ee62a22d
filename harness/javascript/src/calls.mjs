/**
 * The calls of the hash that a reader makes, repeated without the reader: what hashing its values takes. It is told of
 * them as `Seen` is.
 *
 * Those of one kind follow each other, strings by their lengths, so that no branch has to guess which kind comes next,
 * or where a string ends. So the hash is not that of the reader.
 */
export class Calls {
  constructor() {
    this.nulls = 0;
    /** @type {boolean[]} */
    this.booleans = [];
    /** @type {number[]} */
    this.numbers = [];
    /** @type {bigint[]} */
    this.bigints = [];
    /** @type {string[]} */
    this.strings = [];
    /** @type {number[]} */
    this.counts = [];
  }

  nil() {
    this.nulls++;
  }

  /** @param {boolean} value */
  boolean(value) {
    this.booleans.push(value);
  }

  /** @param {number} value */
  number(value) {
    this.numbers.push(value);
  }

  /** @param {bigint} value */
  bigint(value) {
    this.bigints.push(value);
  }

  /** @param {string} text */
  string(text) {
    this.strings.push(text);
  }

  /** @param {number} count */
  count(count) {
    this.counts.push(count);
  }

  /** Is called when there are no more. */
  sort() {
    this.strings.sort((a, b) => a.length - b.length);
  }

  /**
   * Makes all of them.
   * @param {import("./hash.mjs").Hash} hash
   */
  repeat(hash) {
    const { nulls, booleans, numbers, bigints, strings, counts } = this;
    for (let i = 0; i < nulls; i++) hash.nil();
    for (let i = 0; i < booleans.length; i++) hash.boolean(booleans[i]);
    for (let i = 0; i < numbers.length; i++) hash.number(numbers[i]);
    for (let i = 0; i < bigints.length; i++) hash.bigint(bigints[i]);
    for (let i = 0; i < strings.length; i++) hash.string(strings[i]);
    for (let i = 0; i < counts.length; i++) hash.count(counts[i]);
  }
}
