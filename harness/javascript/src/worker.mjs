/**
 * The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself.
 *
 *     node worker.mjs MODULE TEST [PACKAGE.JSON]
 *
 * MODULE is the contender's; its version is that of PACKAGE.JSON, the library's own as installed.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { heapBytes, repeat, timeChunks } from "./clock.mjs";
import { unframe } from "./frame.mjs";
import { keepOutput, Refusal, serve } from "./lines.mjs";
import { readTape, rootIsArray } from "./tape.mjs";
import { TASKS } from "./task.mjs";

const PROTOCOL = 1;
const MOST_CHUNKS = 100_000;
const NONE = Buffer.alloc(0);

keepOutput();

const [modulePath, testName, packagePath] = process.argv.slice(2);
const test = /** @type {keyof TASKS} */ (testName);
/** @type {import("./task.mjs").Contender} */
let contender;
/** @type {InstanceType<typeof TASKS[keyof TASKS]>} */
let task;
/** @type {import("./task.mjs").Job | null} */
let job = null;
/** @type {import("./clock.mjs").Task | null} what the harness itself does in an iteration, once it was asked for */
let own = null;

async function load() {
  contender = await import(pathToFileURL(modulePath).href);
  task = new TASKS[test](contender);
}

/** The engine and its version: Bun states versions of Node.js and V8, too, whose functions it imitates. */
function engine() {
  const { bun, webkit, node, v8 } = process.versions;
  return bun ? `Bun ${bun} (JavaScriptCore ${webkit})` : `Node.js ${node} (V8 ${v8})`;
}

function describe() {
  const installed = packagePath ? JSON.parse(readFileSync(packagePath, "utf8")).version : "";
  return {
    protocol: PROTOCOL,
    language: "javascript",
    test,
    library_version: contender.libraryVersion?.(installed) ?? installed,
    compiler: engine(),
    flags: process.execArgv.join(" "),
  };
}

/**
 * @typedef {object} Prepare
 * @property {string} tape
 * @property {string} [input]
 * @property {string} [words]
 * @property {number} [padding]
 * @property {boolean} [messages]
 * @property {string} [paths]
 */

/** @param {Prepare} message */
function prepare(message) {
  job = own = null;
  const loaded = jobOf(message);
  task.prepare(loaded);
  job = loaded;
  return {};
}

/**
 * What a worker's iterations handle.
 * @param {Prepare} message
 * @returns {import("./task.mjs").Job}
 */
function jobOf({ tape, input = "", words = "", padding = 1, messages = false, paths = "" }) {
  if (input === "" && test !== "write") throw new Refusal("a reader needs an input");
  const file = input === "" ? null : readFileSync(input);
  const looksUp = paths !== "";
  if (file !== null && test !== "write" && !messages && !looksUp)
    return lazyJob(tape, rootIsArray(tape), file, words === "" ? NONE : readFileSync(words), padding);
  const root = readTape(tape, contender.bigints ?? true);
  if (messages && !(Array.isArray(root) && root.length > 0))
    throw new Refusal(`the tape ${tape} has no messages`);
  const roots = messages ? /** @type {unknown[]} */ (root) : [root];
  /** @param {Buffer | null} whole */
  const partsOf = (whole) => {
    const parts = whole === null ? roots.map(() => NONE) : messages ? unframe(whole) : [whole];
    if (parts.length !== roots.length)
      throw new Refusal("the input has another number of messages than the tape");
    return parts;
  };
  const inputs = partsOf(file);
  const wordsOf = partsOf(words === "" ? null : readFileSync(words));
  /** @type {any} of each document's values */
  const found = !looksUp ? [] : messages ? readTape(paths, true) : [readTape(paths, true)];
  const works = roots.map((each, i) => ({
    root: each,
    rootIsArray: !looksUp && Array.isArray(each),
    input: inputs[i],
    copy: Buffer.alloc(inputs[i].length + padding).subarray(0, inputs[i].length),
    words: asWords(wordsOf[i]),
    paths: found[i],
  }));
  return { works, framed: messages };
}

/**
 * The little-endian words of a file in an array of their own.
 * @param {Buffer} file
 */
function asWords(file) {
  const words = new Int32Array(file.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = file.readInt32LE(4 * i);
  return words;
}

/**
 * A reader's job, which has the value tree when it is asked for and not before: a large tree that nobody
 * uses would be marked in every collection, on the reader's account.
 * @param {string} path
 * @param {boolean} isArray whether the tree is an array
 * @param {Buffer} input
 * @param {Buffer} words
 * @param {number} padding
 */
function lazyJob(path, isArray, input, words, padding) {
  /** @type {unknown} */
  let root;
  const work = {
    get root() {
      root ??= readTape(path, true);
      return root;
    },
    rootIsArray: isArray,
    input,
    copy: Buffer.alloc(input.length + padding).subarray(0, input.length),
    words: asWords(words),
  };
  return { works: [work], framed: false };
}

/** @param {number} state */
const hex = (state) => (state >>> 0).toString(16).padStart(8, "0");

/** @typedef {{ iterations?: number, chunks?: number, warmup?: number }} Timing */

/**
 * The times of some chunks.
 * @param {import("./clock.mjs").Task} what
 * @param {Timing} message
 */
function timed(what, { iterations = 1, chunks = 1, warmup = 0 }) {
  if (chunks < 1 || chunks > MOST_CHUNKS) throw new Refusal("a sample has 1 to 100,000 chunks");
  repeat(what, prepared(), warmup);
  const before = process.resourceUsage().minorPageFault; // outside of all chunks, as the one behind
  const { wall, cpu, state } = timeChunks(what, prepared(), iterations, chunks);
  const page_faults = process.resourceUsage().minorPageFault - before;
  return { wall, cpu, page_faults, hash: hex(state) };
}

/** What each request does with the prepared work. */
const REQUESTS = {
  /** @param {{ output?: string }} message */
  verify: ({ output = "" }) => task.verify(prepared(), output),
  /** @param {Timing} message */
  sample: (message) => timed(task, message),
  /** @param {Timing} message */
  overhead(message) {
    own ??= task.overhead(prepared());
    return timed(own, message);
  },
  /** @param {{ iterations?: number }} message */
  count: ({ iterations = 1 }) => ({ hash: hex(repeat(task, prepared(), iterations)) }),
  heap: () => ({ allocations: null, bytes: heapBytes(task, prepared()), peak: null }),
};

function prepared() {
  if (job === null) throw new Refusal("nothing is prepared");
  return job;
}

// What is allocated repeats only where nothing depends on when a line comes.
const counts = typeof globalThis.gc === "function";

serve({ describe, prepare, ...REQUESTS }, load(), counts);
