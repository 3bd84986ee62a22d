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
import { Reading, Writing } from "./task.mjs";

const PROTOCOL = 1;
const MOST_CHUNKS = 100_000;

keepOutput();

const [modulePath, test, packagePath] = process.argv.slice(2);
/** @type {import("./task.mjs").Contender} */
let contender;
/** @type {Reading | Writing} */
let task;
/** @type {import("./task.mjs").Job | null} */
let job = null;

async function load() {
  contender = await import(pathToFileURL(modulePath).href);
  task = test === "write" ? new Writing(contender) : new Reading(contender);
}

function describe() {
  const installed = packagePath ? JSON.parse(readFileSync(packagePath, "utf8")).version : "";
  return {
    protocol: PROTOCOL,
    language: "javascript",
    test,
    library_version: contender.libraryVersion?.(installed) ?? installed,
    compiler: `Node.js ${process.versions.node} (V8 ${process.versions.v8})`,
    flags: process.execArgv.join(" "),
  };
}

/** @param {{ tape: string, input?: string, padding?: number, messages?: boolean }} message */
function prepare({ tape, input = "", padding = 1, messages = false }) {
  job = null;
  const isArray = rootIsArray(tape);
  if (input === "" && test !== "write") throw new Refusal("a reader needs an input");
  const file = input === "" ? null : readFileSync(input);
  if (file !== null && test !== "write" && !messages && contender.usesRoot !== true) {
    job = lazyJob(tape, isArray, file, padding);
    return {};
  }
  const { root, doubles } = readTape(tape);
  const roots = messages ? /** @type {unknown[]} */ (root) : [root];
  const inputs = file === null ? roots.map(() => Buffer.alloc(0)) : messages ? unframe(file) : [file];
  if (inputs.length !== roots.length)
    throw new Refusal("the input has another number of messages than the tape");
  const works = roots.map((each, i) => ({
    root: each,
    rootIsArray: Array.isArray(each),
    input: inputs[i],
    copy: Buffer.alloc(inputs[i].length + padding).subarray(0, inputs[i].length),
  }));
  job = { works, framed: messages, doubles };
  return {};
}

/**
 * A reader's job, which has the value tree when it is asked for and not before: a large tree that nobody
 * uses would be marked in every collection, on the reader's account.
 * @param {string} path
 * @param {boolean} isArray whether the tree is an array
 * @param {Buffer} input
 * @param {number} padding
 */
function lazyJob(path, isArray, input, padding) {
  /** @type {ReturnType<typeof readTape> | null} */
  let tape = null;
  const read = () => {
    tape ??= readTape(path);
    return tape;
  };
  const work = {
    get root() {
      return read().root;
    },
    rootIsArray: isArray,
    input,
    copy: Buffer.alloc(input.length + padding).subarray(0, input.length),
  };
  return {
    works: [work],
    framed: false,
    get doubles() {
      return read().doubles;
    },
  };
}

/** @param {number} state */
const hex = (state) => (state >>> 0).toString(16).padStart(8, "0");

/** What each request does with the prepared work. */
const REQUESTS = {
  /** @param {{ output?: string }} message */
  verify: ({ output = "" }) => task.verify(prepared(), output),
  /** @param {{ iterations?: number, chunks?: number, warmup?: number }} message */
  sample({ iterations = 1, chunks = 1, warmup = 0 }) {
    if (chunks < 1 || chunks > MOST_CHUNKS) throw new Refusal("a sample has 1 to 100,000 chunks");
    repeat(task, prepared(), warmup);
    const { wall, cpu, state } = timeChunks(task, prepared(), iterations, chunks);
    return { wall, cpu, hash: hex(state) };
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
