/**
 * One attempt at a payload: a library encodes or decodes the records of one step, once.
 *
 *     node limits.mjs MODULE SHAPE
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { getHeapStatistics } from "node:v8";
import { Hash } from "../src/hash.mjs";
import { keepOutput, serve } from "../src/lines.mjs";
import { Reading, Writing } from "../src/task.mjs";
import { Rows } from "./growing.mjs";

keepOutput();

const [modulePath, shapeName] = process.argv.slice(2);
const shape = /** @type {import("./growing.mjs").Shape} */ (shapeName);
const SAMPLE = 8;
const NOTHING = Buffer.alloc(0);

/** @type {import("../src/task.mjs").Contender} */
let contender;

async function load() {
  contender = await import(pathToFileURL(modulePath).href);
}

/**
 * @param {Rows} rows
 * @param {number} bytes
 */
const facts = (rows, bytes) => ({
  rows: rows.count,
  megabytes: rows.megabytes,
  bytes,
  heap_limit: getHeapStatistics().heap_size_limit,
});

/** @param {unknown} root */
const workOf = (root, input = NOTHING) => ({ root, rootIsArray: Array.isArray(root), input, copy: input });

serve(
  {
    /** Only makes the objects: what a library is given, or makes. @param {{ step: number }} message */
    objects({ step }) {
      const rows = new Rows(step);
      const root = rows.document(shape);
      return { ...facts(rows, 0), kept: Object.keys(root).length };
    },
    /** @param {{ step: number, output: string }} message */
    encode({ step, output }) {
      const rows = new Rows(step);
      const bytes = new Writing(contender).once(workOf(rows.document(shape)));
      if (output !== "") writeFileSync(output, bytes);
      return facts(rows, bytes.length);
    },
    /** @param {{ step: number, input: string }} message */
    decode({ step, input }) {
      const rows = new Rows(step);
      const expected = rows.hash(shape);
      const data = readFileSync(input);
      // What infers its schema from the data needs some to look at.
      const work = workOf(rows.document(shape, SAMPLE), data);
      const { read, walk } = new Reading(contender);
      const hash = new Hash(true);
      walk(read(data, work), hash, work);
      if (hash.text !== expected) throw new Error(`wrong hash: ${hash.text}, where ${expected} is right`);
      return facts(rows, data.length);
    },
  },
  load(),
);
