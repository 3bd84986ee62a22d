/** What an iteration is: a reader's or a writer's, always with its result consumed. */
import { writeFileSync } from "node:fs";
import { frame } from "./frame.mjs";
import { Hash } from "./hash.mjs";

/**
 * @typedef {object} Work one document; a contender gets it as its last argument
 * @property {unknown} root the value tree; only a writer and the baseline may use it
 * @property {boolean} rootIsArray for formats that have no array at the root
 * @property {Buffer} input the encoded input
 * @property {Buffer} copy where a reader finds it in every iteration
 */

/**
 * @typedef {object} Job what `prepare` loads
 * @property {Work[]} works the document, or every message of a dataset of messages
 * @property {boolean} framed whether it is one of messages
 * @property {number} doubles how many the tape has
 */

/**
 * @typedef {object} Contender a module that a contender's manifest names
 * @property {(root: unknown, work: Work) => Uint8Array | string} [write]
 * @property {(data: Buffer, work: Work) => unknown} [read]
 * @property {(value: unknown, hash: Hash, work: Work) => void} [walk] in place of `Hash.value`
 * @property {boolean} [usesRoot] whether its `read` needs `work.root` before it is first called, as the baseline's does
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
   * For each document: copies the input, decodes the copy, and hashes every value.
   * @param {Job} job
   * @param {Hash} hash
   */
  once({ works }, hash) {
    for (const work of works) {
      work.input.copy(work.copy);
      this.walk(this.read(work.copy, work), hash, work);
    }
    return hash;
  }

  /** @param {Job} job */
  iterate(job) {
    return this.once(job, new Hash(true)).state;
  }

  /** @param {Job} job */
  verify(job) {
    const expected = new Hash(true);
    const exact = new Hash(true);
    expected.numbers = [];
    exact.numbers = [];
    const content = this.once(job, new Hash(false));
    this.once(job, exact);
    // Last, since a large tree and what was decoded need not be in memory at the same time.
    for (const { root } of job.works) expected.value(root);
    const hashes = { content_hash: content.text, exact_hash: exact.text };
    return { ...hashes, ...changes(expected.numbers, exact.numbers, job.doubles) };
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

  /** @param {Job} job */
  iterate({ works }) {
    const hash = new Hash(true);
    for (const work of works) hash.bytes(this.once(work));
    return hash.state;
  }

  /**
   * @param {Job} job
   * @param {string} output
   */
  verify({ works, framed }, output) {
    const outputs = works.map((work) => Buffer.from(this.once(work)));
    const hash = new Hash(true);
    for (const bytes of outputs) hash.bytes(bytes);
    writeFileSync(output, framed ? frame(outputs) : outputs[0]);
    return { bytes: outputs.reduce((sum, bytes) => sum + bytes.length, 0), hash: hash.text };
  }
}
