/**
 * The rows of the dataset `records`, step by step as the 2020 comparison made them (see
 * src/serbench/datasets/growing.py), outside of V8's heap, which is a library's alone.
 */
import { Hash } from "../src/hash.mjs";

const FIRST = [
  [1, 4.104, 1.1009999999999993],
  [2, 4.371033333333333, 0.36703333333333266],
  [3, 5.171833333333334, 0.4337666666666671],
  [4, 6.473133333333333, 0.36703333333333354],
];
const MEGABYTE = 1_048_576;
const LARGE_MB = 10;
const WHOLE = '{"items":[]}'.length;
const EACH = '{"x":,"y":,"z":},'.length;

/** @typedef {"mapped" | "unmapped"} Shape */

/** The rows of one step. */
export class Rows {
  /** @param {number} step */
  constructor(step) {
    this.count = FIRST.length;
    this.numbers = new Float64Array(FIRST.flat());
    /** @type {Map<number, number>} */
    this.lengths = new Map();
    this.bytes = WHOLE - 1 + this.#length(0, this.count);
    for (let i = 0; i < step; i++) this.#grow();
  }

  /** The length of the mapped JSON in MB. */
  get megabytes() {
    return this.bytes / MEGABYTE;
  }

  /**
   * The JSON of some rows, each with a comma.
   * @param {number} from
   * @param {number} to
   */
  #length(from, to) {
    let total = EACH * (to - from);
    for (let i = 3 * from; i < 3 * to; i++) {
      const number = this.numbers[i];
      let length = this.lengths.get(number);
      if (length === undefined) {
        length = String(number).length;
        this.lengths.set(number, length);
      }
      total += length;
    }
    return total;
  }

  #grow() {
    const added = Math.floor(this.count / (this.megabytes > LARGE_MB ? 4 : 8) + 0.5);
    const grown = new Float64Array(3 * (this.count + added));
    grown.set(this.numbers);
    for (let i = 0; i < added; i++) {
      const at = 3 * (this.count + i);
      grown[at] = this.numbers[3 * i] + 1;
      grown[at + 1] = this.numbers[3 * i + 1] + 1 / 3;
      grown[at + 2] = this.numbers[3 * i + 2] + 1 / 3;
    }
    this.numbers = grown;
    const before = this.count;
    this.count += added;
    this.bytes += this.#length(before, this.count);
  }

  /**
   * The document as ordinary objects, of the first `most` rows.
   * @param {Shape} shape
   * @param {number} [most]
   */
  document(shape, most = this.count) {
    const { numbers } = this;
    const count = Math.min(most, this.count);
    /** @type {object[]} */
    const items = new Array(count);
    for (let i = 0, at = 0; i < count; i++, at += 3) {
      const [x, y, z] = [numbers[at], numbers[at + 1], numbers[at + 2]];
      items[i] = shape === "unmapped" ? [x, y, z] : { x, y, z };
    }
    return shape === "unmapped" ? items : { items };
  }

  /**
   * The exact_hash of the document.
   * @param {Shape} shape
   */
  hash(shape) {
    const mapped = shape === "mapped";
    const hash = new Hash(true);
    if (mapped) hash.string("items");
    for (let i = 0; i < this.numbers.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        if (mapped) hash.string("xyz"[k]);
        hash.number(this.numbers[i + k]);
      }
      hash.count(3);
    }
    hash.count(this.count);
    if (mapped) hash.count(1);
    return hash.text;
  }
}
