/** Answering the orchestrator's lines, one JSON object each (docs/protocol.md). */
import { Console } from "node:console";
import { readSync, writeSync } from "node:fs";

const LONGEST_REASON = 400;
const NEWLINE = 10;

/** What the orchestrator asked for wrongly: its text needs no name before it. */
export class Refusal extends Error {}

/**
 * What is said of something thrown: its name and message in one line.
 * @param {unknown} error
 */
export function reasonOf(error) {
  const named = error instanceof Error && !(error instanceof Refusal);
  const text = named
    ? `${error.name}: ${error.message}`
    : String(/** @type {any} */ (error)?.message ?? error);
  // A message may quote half a character, which no JSON reader takes.
  return text.replace(/\s+/g, " ").slice(0, LONGEST_REASON).toWellFormed();
}

/** Keeps standard output to the protocol: what a library prints goes to standard error. */
export function keepOutput() {
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** @param {object} fields */
function reply(fields) {
  const bytes = Buffer.from(`${JSON.stringify(fields)}\n`);
  let at = 0;
  while (at < bytes.length) at += writeSync(1, bytes, at);
}

/** @param {unknown} error */
function refuse(error) {
  reply({ ok: false, error: reasonOf(error) });
}

/** The lines of standard input, read without any event in between. */
function* linesAtOnce() {
  const chunk = Buffer.alloc(1 << 16);
  let pending = Buffer.alloc(0);
  for (;;) {
    const bytes = readSync(0, chunk);
    if (bytes === 0) return;
    pending = Buffer.concat([pending, chunk.subarray(0, bytes)]);
    for (let end = pending.indexOf(NEWLINE); end >= 0; end = pending.indexOf(NEWLINE)) {
      yield pending.toString("utf8", 0, end);
      pending = pending.subarray(end + 1);
    }
  }
}

/**
 * Answers until the input ends or asks to quit; each request is a function of `requests`, which gets the
 * whole message and returns the fields of the answer. What it throws is a refusal.
 * @param {Record<string, (message: any) => object>} requests
 * @param {Promise<unknown>} loaded what must be done first; if that fails, so does the first request
 * @param {boolean} atOnce whether to block until a line comes, so that all happens in the same order always
 */
export function serve(requests, loaded, atOnce = false) {
  /** @param {string} line */
  const answer = (line) => {
    try {
      const message = JSON.parse(line);
      if (message.do === "quit") process.exit(0);
      if (!Object.hasOwn(requests, message.do)) throw new Refusal("unknown request");
      reply({ ok: true, ...requests[message.do](message) });
    } catch (error) {
      refuse(error);
    }
  };
  loaded.catch(() => {}); // it is the first request that fails
  if (atOnce) {
    const all = () => {
      for (const line of linesAtOnce()) answer(line);
    };
    loaded.then(all, (error) => {
      refuse(error);
      process.exit(1);
    });
    return;
  }
  let pending = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", async (chunk) => {
    pending += chunk;
    try {
      await loaded;
    } catch (error) {
      refuse(error);
      process.exit(1);
    }
    const lines = pending.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) answer(line);
  });
}
