// What can be shown of a row: name, value, interval, and what the figure means.

import { rowOf } from "./rows.mjs";
import { count, duration, percent, significant, unitFor } from "./text.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/**
 * @typedef {object} Metric
 * @property {string} id @property {string} name @property {string} short heading of its column
 * @property {string} meaning
 * @property {"time" | "rate" | "number" | "ratio"} kind
 * @property {boolean} more whether more is better
 * @property {string} unit of a number that is no mere count; % of a ratio in percent
 * @property {boolean} whole whether its decimals are not shown
 * @property {boolean} column whether it has a column of its own beside the chosen one
 * @property {(row: Row, run: RunData) => number | null} value
 * @property {(row: Row) => [number, number] | null} [interval]
 * @property {(row: Row) => string} [reason] why a row has no value
 */
/**
 * A metric as src/serbench/results/metric.py has it; `scale` makes nanoseconds of a time.
 * @typedef {{id: string, field: string, bounds: [string, string] | null, scale: number, reason: string, name: string,
 *   short: string, meaning: string, kind: Metric["kind"], more: boolean, unit: string, whole: boolean, page: string}} Entry
 */
/** Those of all rows, and those of platforms. @typedef {{rows: Entry[], platforms: Entry[]}} Entries */

/** What the page was given: its metrics, and the meanings of all. @type {{rows: Metric[], platforms: Metric[], meanings: Map<string, string>}} */
const known = { rows: [], platforms: [], meanings: new Map() };

/** @param {Entries} entries */
export function useMetrics({ rows, platforms }) {
  const shownOnes = (/** @type {Entry[]} */ some) => some.filter(({ page }) => page).map(metricOf);
  const meanings = new Map([...platforms, ...rows].map(({ short, meaning }) => [short, meaning]));
  Object.assign(known, { rows: shownOnes(rows), platforms: shownOnes(platforms), meanings });
}

/** What a column says that is no metric to choose. @param {string} short its heading */
export function meaningOf(short) {
  return known.meanings.get(short) ?? "";
}

/** @param {Entry} entry @returns {Metric} */
function metricOf({ field, bounds, scale, reason, page, ...said }) {
  const [low, high] = bounds ?? [];
  return {
    ...said, column: page === "column",
    value: COMPUTED[said.id] ?? ((row) => (row[field] === null ? null : row[field] * scale)),
    ...(low && high && { interval: (row) => (row[low] === null || row[high] === null ? null : [row[low], row[high]]) }),
    ...(reason && { reason: (row) => row[reason] }),
  };
}

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

/** What no field has. @type {Record<string, Metric["value"]>} */
const COMPUTED = {
  rate: (row) => rate(row.bytes, row),
  jsonrate: (row, run) => rate(jsonBytes(row, run), row),
  netcount: (row, run) => lessBaseline(row, run, (a, b) => a - b),
  countratio: (row, run) => lessBaseline(row, run, (a, b) => a / b),
};

/** @param {Row} row @param {RunData} run @param {(a: number, b: number) => number} of its instructions and the baseline's */
function lessBaseline(row, run, of) {
  const base = rowOf(run, row.baseline)?.instructions;
  return row.instructions === null || !base ? null : of(row.instructions, base);
}

/** The encoding's size after a compressor such as `gzip -6`. @param {string} name @returns {Metric} */
function compressed(name) {
  return {
    id: `after ${name}`, name: `Size after ${name}`, short: name, kind: "number", unit: "bytes", more: false, whole: false, column: false,
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
  const counted = among.some(({ rows }) => rows.some((row) => row.platform)) ? known.platforms : [];
  const all = [...counted, ...known.rows.filter(({ id }) => !counted.some((metric) => metric.id === id))];
  const anywhere = (/** @type {Metric} */ metric) => among.some(({ run, rows }) => hasValue(metric, run, rows));
  return all.flatMap((metric) => (metric.id === "bytes" ? [metric, ...[...names].sort().map(compressed)] : [metric])).filter(anywhere);
}

/** The unit in which a metric's values read best together, and how much one of it is. @param {Metric} metric @param {(number | null)[]} values @returns {[string, number]} */
export function scaleOf(metric, values) {
  if (metric.kind === "time") return unitFor(values);
  return metric.unit === "%" ? ["%", 0.01] : ["", 1];
}

/** A value with its unit, alone. @param {Metric} metric @param {number | null} value */
export function shown(metric, value) {
  if (metric.kind === "time") return duration(value, 4);
  if (metric.kind === "rate") return value === null ? "–" : `${significant(value, 3)} MB/s`;
  if (metric.unit === "%") return value === null ? "–" : percent(value);
  if (metric.kind === "ratio") return value === null ? "–" : `${significant(value, 3)}×`;
  return value !== null && metric.unit ? `${count(value)} ${metric.unit}` : count(value);
}

/** Its name within a line. @param {Metric} metric */
export function inLine({ name }) {
  return name[0].toLowerCase() + name.slice(1);
}
