// What can be shown of a row: name, value, interval, and what the figure means.

import { rowOf } from "./rows.mjs";
import { count, duration, significant } from "./text.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/**
 * @typedef {object} Metric
 * @property {string} id @property {string} name @property {string} short heading of its column
 * @property {string} meaning
 * @property {"time" | "rate" | "number" | "ratio"} kind
 * @property {boolean} [more] whether more is better
 * @property {string} [unit] of a number that is no mere count
 * @property {(row: Row, run: RunData) => number | null} value
 * @property {(row: Row) => [number, number] | null} [interval]
 * @property {(row: Row) => string} [reason] why a row has no value
 */

export const RANK = "The places in the whole group that comparisons by net time leave open. 3–5: two rows are proved faster, and at most four may be. A row with fewer than two launches has none.";

/** @param {string} field @returns {(row: Row) => number | null} */
const field = (field) => (row) => row[field];
/** @param {string} low @param {string} high @returns {(row: Row) => [number, number] | null} */
const bounds = (low, high) => (row) => (row[low] === null || row[high] === null ? null : [row[low], row[high]]);

/** The bytes of a row's data as JSON, per message. @param {Row} row @param {RunData} run */
export function jsonBytes(row, run) {
  const bytes = datasetOf(row, run)?.encodings?.json?.bytes;
  return bytes ? bytes / row.messages : null;
}

/** @param {Row} row @param {RunData} run */
export function datasetOf(row, run) {
  return run.datasets.find((/** @type {any} */ dataset) => dataset.name === row.dataset);
}

/** MB/s, of bytes in a net time. @param {number | null} bytes @param {Row} row */
function rate(bytes, row) {
  return bytes === null || row.net_ns === null || row.at_floor ? null : (1000 * bytes) / row.net_ns;
}

/** @type {Metric[]} */
const TIMED = [
  {
    id: "net", name: "Net time", short: "net", kind: "time", value: field("net_ns"),
    interval: bounds("net_low_ns", "net_high_ns"),
    meaning: "The library's own time per message: raw time less that of the baseline, which does only what every row must do.",
  },
  {
    id: "raw", name: "Raw time", short: "raw", kind: "time", value: field("raw_ns"),
    interval: bounds("raw_low_ns", "raw_high_ns"),
    meaning: "The time per message as measured, with the harness's share (copying, walking, hashing) in it.",
  },
  {
    id: "typical", name: "Typical time", short: "typical", kind: "time", value: field("typical_ns"),
    meaning: "The plain median of all chunks of raw time, in which disturbances by other programs take part.",
  },
  {
    id: "overhead", name: "Overhead over the baseline", short: "× base", kind: "ratio", value: field("overhead"),
    interval: bounds("overhead_low", "overhead_high"),
    meaning: "The raw time over the baseline's.",
  },
  {
    id: "rate", name: "Throughput, encoded", short: "MB/s", kind: "rate", more: true,
    value: (row) => rate(row.bytes, row),
    meaning: "Megabytes (10⁶ bytes) of the encoding per second of net time.",
  },
  {
    id: "jsonrate", name: "Throughput, of the same data as JSON", short: "JSON MB/s", kind: "rate", more: true,
    value: (row, run) => rate(jsonBytes(row, run), row),
    meaning: "Megabytes per second of net time, counting for every format the bytes that the data has as JSON, so that formats can be compared.",
  },
];

/** @type {Metric[]} */
const COUNTED = [
  {
    id: "bytes", name: "Encoded size", short: "bytes", kind: "number", unit: "bytes", value: field("bytes"),
    meaning: "Bytes of the encoding that was read, or of the output that was written.",
  },
  {
    id: "code", name: "Code size", short: "code size", kind: "number", unit: "bytes", value: field("code_size"),
    reason: (row) => row.code_size_reason,
    meaning: "Bytes of text and data that the executable has more than the baseline's of its language and test.",
  },
  {
    id: "bundle", name: "Size of the bundle", short: "bundle", kind: "number", unit: "bytes", value: field("bundle_size"),
    meaning: "Bytes that the minified, gzipped bundle of the library and the row's module has more than the baseline's, as Node.js resolves the packages; never to be compared with the code size of an executable.",
  },
  {
    id: "installed", name: "Installed size", short: "installed", kind: "number", unit: "bytes", value: field("installed_bytes"),
    meaning: "Bytes of the installed files of the library and of all that it needs; none for a part of the language.",
  },
  {
    id: "load", name: "Time to load the library", short: "load", kind: "time", value: field("load_ns"),
    meaning: "The least time that a program which has just started takes to load the library. The start itself does not count.",
  },
  {
    id: "lines", name: "Generated lines", short: "generated lines", kind: "number", value: field("generated_lines"),
    meaning: "Lines of the code that was generated from the schema of the data.",
  },
  {
    id: "build", name: "Build time", short: "build", kind: "time", value: (row) => row.build_seconds === null ? null : row.build_seconds * 1e9,
    meaning: "How long compiling the generated code took, with the row's own, when it was built.",
  },
  {
    id: "instructions", name: "Instructions", short: "instructions", kind: "number", value: field("instructions"),
    reason: (row) => row.instructions_reason,
    meaning: "How many one message takes, as Callgrind counts them, with nothing subtracted: a count, never a time.",
  },
  {
    id: "allocations", name: "Allocations", short: "allocs", kind: "number", value: field("heap_allocations"),
    meaning: "How often memory is asked for per message, counted in a launch of its own.",
  },
  {
    id: "heap", name: "Bytes allocated", short: "heap bytes", kind: "number", unit: "bytes", value: field("heap_bytes"),
    meaning: "How many bytes are asked of the heap per message, in all.",
  },
  {
    id: "faults", name: "Page faults", short: "faults", kind: "number", value: field("page_faults"),
    meaning: "How often the kernel gave the process a page of memory per message (minor page faults); its time is in net and raw.",
  },
  {
    id: "peak", name: "Peak heap", short: "peak", kind: "number", unit: "bytes", value: field("heap_peak"),
    meaning: "The most bytes of the heap that were in use at one time.",
  },
];

/** Of rows that were counted on an emulated Linux, in place of times. @type {Metric[]} */
const EMULATED = [
  {
    id: "netcount", name: "Net instructions", short: "net instructions", kind: "number", value: (row, run) => lessBaseline(row, run, (a, b) => a - b),
    reason: (row) => row.instructions_reason,
    meaning: "The instructions of one message less those of the baseline, which does only what every row must do: a count, never a time.",
  },
  {
    id: "instructions", name: "Instructions", short: "instructions", kind: "number", value: field("instructions"),
    reason: (row) => row.instructions_reason,
    meaning: "How many one message takes, those of the C library included, counted while QEMU ran the program: a count of the instruction set, never a time.",
  },
  {
    id: "countratio", name: "Instructions over the baseline's", short: "× base", kind: "ratio", value: (row, run) => lessBaseline(row, run, (a, b) => a / b),
    reason: (row) => row.instructions_reason,
    meaning: "The instructions over the baseline's.",
  },
];

/** @param {Row} row @param {RunData} run @param {(a: number, b: number) => number} of its instructions and the baseline's */
function lessBaseline(row, run, of) {
  const base = rowOf(run, row.baseline)?.instructions;
  return row.instructions === null || !base ? null : of(row.instructions, base);
}

/** The encoding's size after a compressor such as `gzip -6`. @param {string} name @returns {Metric} */
function compressed(name) {
  return {
    id: `after ${name}`, name: `Size after ${name}`, short: name, kind: "number", unit: "bytes",
    value: (row, run) => {
      const bytes = datasetOf(row, run)?.encodings?.[row.format]?.compressed?.[name]?.bytes;
      return bytes === undefined ? null : bytes / row.messages;
    },
    meaning: `Bytes of the format's canonical encoding after ${name}.`,
  };
}

/** What is known of some rows: a metric that none has is looked for in all. @type {WeakMap<Row[], Map<string, boolean>>} */
const valued = new WeakMap();

/** @param {Metric} metric @param {RunData} run @param {Row[]} rows */
function hasValue(metric, run, rows) {
  const known = valued.get(rows) ?? new Map();
  valued.set(rows, known);
  const found = known.get(metric.name) ?? rows.some((row) => row.role === "contender" && metric.value(row, run) !== null);
  known.set(metric.name, found);
  return found;
}

/**
 * The metrics that any contender among some rows of runs has a value in.
 * @param {{run: RunData, rows: Row[]}[]} among @returns {Metric[]}
 */
export function metricsOf(among) {
  const names = new Set(among.flatMap(({ run }) => run.datasets.flatMap((/** @type {any} */ dataset) =>
    Object.values(dataset.encodings ?? {}).flatMap((/** @type {any} */ e) => Object.keys(e.compressed ?? {})))));
  const [bytes, ...counted] = COUNTED;
  const emulated = among.some(({ rows }) => rows.some((row) => row.platform));
  const others = counted.filter(({ id }) => !emulated || id !== "instructions");
  const anywhere = (/** @type {Metric} */ metric) => among.some(({ run, rows }) => hasValue(metric, run, rows));
  return [...(emulated ? EMULATED : TIMED), bytes, ...[...names].sort().map(compressed), ...others].filter(anywhere);
}

/** A value with its unit, alone. @param {Metric} metric @param {number | null} value */
export function shown(metric, value) {
  if (metric.kind === "time") return duration(value, 4);
  if (metric.kind === "rate") return value === null ? "–" : `${significant(value, 3)} MB/s`;
  if (metric.kind === "ratio") return value === null ? "–" : `${significant(value, 3)}×`;
  return value !== null && metric.unit ? `${count(value)} ${metric.unit}` : count(value);
}

/** Its name within a line. @param {Metric} metric */
export function inLine({ name }) {
  return name[0].toLowerCase() + name.slice(1);
}
