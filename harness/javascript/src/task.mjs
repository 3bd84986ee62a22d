/** What an iteration of each test is, always with its result consumed. */
import { writeFileSync } from "node:fs";
import { Calls } from "./calls.mjs";
import { frame } from "./frame.mjs";
import { Hash } from "./hash.mjs";
import { Seen } from "./seen.mjs";

/**
 * @typedef {object} Work one document; a contender gets it as its last argument
 * @property {unknown} root the value tree; only a writer may use it
 * @property {boolean} rootIsArray for formats that have no array at the root
 * @property {Buffer} input the encoded input
 * @property {Buffer} copy where a reader finds it in every iteration
 * @property {Int32Array} words those that exact_hash mixes, for the baseline of a reader; empty for all others
 * @property {Step[][]} [paths] of the values that are looked up, of which `root` is an array
 * @property {unknown} [document] what is serialized: made of the input before the clock runs
 */

/** @typedef {string | number} Step a key of an object or an index of an array */

/**
 * @typedef {object} Job what `prepare` loads
 * @property {Work[]} works the document, or every message of a dataset of messages
 * @property {boolean} framed whether it is one of messages
 */

/**
 * @typedef {object} Contender a module that a contender's manifest names
 * @property {(root: unknown, work: Work) => Uint8Array | string} [write]
 * @property {(data: Buffer, work: Work) => unknown} [read]
 * @property {(value: unknown, hash: Hash, work: Work) => void} [walk] in place of `Hash.value`
 * @property {(document: any, path: Step[]) => unknown} [find] in place of going through plain objects
 * @property {(root: any) => unknown} [make] makes what its `write` gets of the value tree, before the clock runs
 * @property {boolean} [bigints] false if its `write` refuses BigInts: it gets the nearest numbers, as JSON.parse makes them
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

  /** @param {Job} _job what needs no preparation */
  prepare(_job) {}

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

  /**
   * What the harness itself does in an iteration, found by one that is not timed.
   * @param {Job} job
   */
  overhead(job) {
    const calls = new Calls();
    const recorded = new Hash(true);
    recorded.seen = calls;
    this.once(job, recorded);
    calls.sort();
    return {
      /** @param {Job} job */
      iterate({ works }) {
        const hash = new Hash(true);
        for (const work of works) work.input.copy(work.copy);
        calls.repeat(hash);
        return hash.state;
      },
    };
  }

  /**
   * @param {Job} job
   * @param {string} output where to leave what it saw, or ""
   */
  verify(job, output) {
    const content = this.once(job, new Hash(false));
    const exact = new Hash(true);
    const seen = output === "" ? null : new Seen(output);
    exact.seen = seen;
    this.once(job, exact);
    seen?.close();
    return { content_hash: content.text, exact_hash: exact.text };
  }
}

/** A writer's iteration. A string that it returns becomes UTF-8 bytes here, inside the clock. */
export class Writing {
  /** @param {Contender} contender */
  constructor(contender) {
    if (typeof contender.write !== "function")
      throw new TypeError("the contender exports no function 'write'");
    this.write = contender.write;
    this.make = contender.make;
  }

  /** @param {Job} job */
  prepare({ works }) {
    if (this.make) for (const work of works) work.root = this.make(work.root);
  }

  /** @param {Work} work */
  once(work) {
    const output = this.write(this.source(work), work);
    const bytes = typeof output === "string" ? Buffer.from(output, "utf8") : output;
    if (!(bytes instanceof Uint8Array)) throw new TypeError("the contender wrote neither bytes nor a string");
    return bytes;
  }

  /**
   * What is written.
   * @param {Work} work
   */
  source(work) {
    return work.root;
  }

  /** @param {Job} job */
  iterate({ works }) {
    const hash = new Hash(true);
    for (const work of works) hash.bytes(this.once(work));
    return hash.state;
  }

  /**
   * What the harness itself does in an iteration, found by one that is not timed: it hashes as many bytes.
   * @param {Job} job
   */
  overhead({ works }) {
    const blocks = works.map((work) => Buffer.alloc(this.once(work).length, "x"));
    return {
      /** @param {Job} _job */
      iterate(_job) {
        const hash = new Hash(true);
        for (const block of blocks) hash.bytes(block);
        return hash.state;
      },
    };
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

/** A serializer's iteration is a writer's, of the documents that its library's reader made before. */
export class Serializing extends Writing {
  /** @param {Contender} contender */
  constructor(contender) {
    super(contender);
    this.read = new Reading(contender).read;
  }

  /** @param {Job} job */
  prepare({ works }) {
    for (const work of works) {
      work.input.copy(work.copy);
      work.document = this.read(work.copy, work);
    }
  }

  /** @param {Work} work */
  source(work) {
    return work.document;
  }
}

/** A look-up's iteration is a reader's, of the values at some paths: an array for each document. */
export class LookingUp extends Reading {
  /** @param {Contender} contender */
  constructor(contender) {
    super(contender);
    const find = contender.find ?? follow;
    this.walk = (document, hash, { paths = [] }) => {
      for (const path of paths) {
        const value = find(document, path);
        if (value === undefined || (typeof value === "object" && value !== null))
          throw new RangeError(`there is no scalar at ${JSON.stringify(path)}`);
        hash.value(value);
      }
      hash.count(paths.length);
    };
  }
}

/**
 * The value at a path in plain objects and arrays; undefined if there is none.
 * @param {any} document
 * @param {Step[]} path
 */
function follow(document, path) {
  let value = document;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** The iteration of each test. */
export const TASKS = {
  write: Writing,
  tree: Reading,
  incremental: Reading,
  serialize: Serializing,
  lookup: LookingUp,
};
