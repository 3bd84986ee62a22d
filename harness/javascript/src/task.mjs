/** What an iteration is: a reader's or a writer's, always with its result consumed. */
import { writeFileSync } from "node:fs";
import { Hash } from "./hash.mjs";

/**
 * @typedef {object} Work what `prepare` loads; a contender gets it as its second argument
 * @property {unknown} root the value tree; only a writer and the baseline may use it
 * @property {number} doubles
 * @property {boolean} rootIsArray for formats that have no array at the root
 * @property {Buffer} input the encoded input
 * @property {Buffer} copy where a reader finds it in every iteration
 */

/**
 * @typedef {object} Contender a module that a contender's manifest names
 * @property {(root: unknown, work: Work) => Uint8Array | string} [write]
 * @property {(data: Buffer, work: Work) => unknown} [read]
 * @property {(value: unknown, hash: Hash, work: Work) => void} [walk] in place of `Hash.value`
 * @property {(installed: string) => string} [libraryVersion] where the version of the package does not say it all
 */

/** A row's iteration. */
export class Reading {
  /** @param {Contender} contender */
  constructor(contender) {
    if (typeof contender.read !== "function") throw new TypeError("the contender exports no function 'read'");
    this.read = contender.read;
    this.walk = contender.walk ?? ((value, hash) => hash.value(value));
  }

  /**
   * Copies the input, decodes the copy, and hashes every value.
   * @param {Work} work
   * @param {Hash} hash
   */
  once(work, hash) {
    work.input.copy(work.copy);
    this.walk(this.read(work.copy, work), hash, work);
    return hash;
  }

  /** @param {Work} work */
  iterate(work) {
    return this.once(work, new Hash(true)).state;
  }

  /** @param {Work} work */
  verify(work) {
    const expected = new Hash(true);
    const exact = new Hash(true);
    expected.numbers = [];
    exact.numbers = [];
    expected.value(work.root);
    const content = this.once(work, new Hash(false));
    this.once(work, exact);
    const hashes = { content_hash: content.text, exact_hash: exact.text };
    return { ...hashes, ...changes(expected.numbers, exact.numbers, work.doubles) };
  }
}

/**
 * How many numbers differ from the tape's, and the largest difference relative to the tape's.
 * @param {number[]} expected
 * @param {number[]} found
 * @param {number} doubles
 */
function changes(expected, found, doubles) {
  if (expected.length !== found.length) return {};
  let changed = 0;
  let largest = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(expected[i], found[i])) continue;
    changed++;
    const relative = expected[i] === 0 ? Number.MAX_VALUE : Math.abs((found[i] - expected[i]) / expected[i]);
    largest = Math.max(largest, Number.isFinite(relative) ? relative : Number.MAX_VALUE);
  }
  return { changed, doubles, max_relative: largest };
}

/** A writer's iteration. A string that it returns becomes UTF-8 bytes here, inside the clock. */
export class Writing {
  /** @param {Contender} contender */
  constructor(contender) {
    if (typeof contender.write !== "function")
      throw new TypeError("the contender exports no function 'write'");
    this.write = contender.write;
  }

  /** @param {Work} work */
  once(work) {
    const output = this.write(work.root, work);
    const bytes = typeof output === "string" ? Buffer.from(output, "utf8") : output;
    if (!(bytes instanceof Uint8Array)) throw new TypeError("the contender wrote neither bytes nor a string");
    return bytes;
  }

  /** @param {Work} work */
  iterate(work) {
    const hash = new Hash(true);
    hash.bytes(this.once(work));
    return hash.state;
  }

  /**
   * @param {Work} work
   * @param {string} output
   */
  verify(work, output) {
    const bytes = this.once(work);
    const hash = new Hash(true);
    hash.bytes(bytes);
    writeFileSync(output, bytes);
    return { bytes: bytes.length, hash: hash.text };
  }
}
