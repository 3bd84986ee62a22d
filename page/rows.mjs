// A run as the page shows it: each row is its record in the run file with its result in the file's summary.

/** @typedef {Map<number, number>} Figures raw or net ns by the number of the launch */
/**
 * One row of one run: the fields of RowRecord and RowResult (docs/results-schema.md). `figures` has launch and raw ns of
 * one message, `harness_ns` what is subtracted from it; `samples` launch, round, shortest chunk and median chunk of each sample that is drawn.
 * @typedef {Record<string, any> & {id: number, row: string, name: string, contender: string, test: string,
 *   dataset: string, profile: string, role: string, status: string, labels: string[],
 *   baseline: number | null, figures: number[][], harness_ns: number[][], samples: number[][]}} Row
 */
/** What a run says of itself, and its rows. @typedef {Record<string, any> & {id: string, rows: Row[], every: number}} RunData */

const LEAST_LAUNCHES = 2;

/** The rows of microcontrollers and boards, each with its metrics as fields. @param {any[]} rows @returns {Record<string, any>[]} */
export function countsOf(rows) {
  const counted = rows.filter((row) => row.test === "roundtrip");
  return counted.map(({ metrics, dataset, ...row }) => ({ ...row, ...metrics, document: dataset }));
}

/**
 * Return the page's record of a run file that has been checked (load.mjs).
 * @param {Record<string, any>} file @param {number} every the samples that are there are those of one round in so many
 * @returns {RunData}
 */
export function runOf({ rows: records, samples: _samples, overheads: _overheads, failures: _failures, summary, ...facts }, every) {
  const known = new Map(records.map((/** @type {Row} */ row) => [row.id, row]));
  const rows = summary.rows.map((/** @type {any} */ result) => {
    const record = known.get(result.id);
    return {
      ...record, ...result,
      language_name: record.language_name || record.language, format_name: record.format_name || record.format,
      figures: perMessage(result.launch_ns, result.messages), harness_ns: perMessage(result.harness_ns ?? [], result.messages),
    };
  });
  return /** @type {any} */ ({ ...facts, answer: summary.answer, rows, every });
}

/** @param {number[][]} launches launch and ns of an iteration @param {number} messages */
function perMessage(launches, messages) {
  return launches.map(([launch, ns]) => [launch, ns / messages]);
}

/** Give the rows of a run the samples of its file, for their plots. @param {RunData} run @param {Record<string, any>[]} samples */
export function giveSamples(run, samples) {
  const rows = new Map(run.rows.map((row) => [row.id, row]));
  for (const row of run.rows) row.samples = [];
  for (const { row: id, launch, round, iterations, wall } of samples) {
    const row = /** @type {Row} */ (rows.get(id));
    const ordered = Float64Array.from(wall).sort();
    const middle = (ordered[(ordered.length - 1) >> 1] + ordered[ordered.length >> 1]) / 2;
    row.samples.push([launch, round, ordered[0] / iterations / row.messages, middle / iterations / row.messages]);
  }
}

/** The row of a run with an id. @param {RunData} run @param {number | null} id */
export function rowOf(run, id) {
  const rows = byId.get(run) ?? new Map(run.rows.map((row) => [row.id, row]));
  byId.set(run, rows);
  return id === null ? undefined : rows.get(id);
}

/** @type {WeakMap<RunData, Map<number, Row>>} */
const byId = new WeakMap();
/** @type {WeakMap<Row, {raw: Figures, net: Figures}>} */
const known = new WeakMap();

/** A row's figures by launch: raw, and net of the launches in which the harness was timed too. @param {Row} row */
export function figuresOf(row) {
  const found = known.get(row) ?? { raw: new Map(/** @type {[number, number][]} */ (row.figures)), net: new Map() };
  if (!known.has(row))
    for (const [launch, ns] of row.harness_ns) if (found.raw.has(launch)) found.net.set(launch, (found.raw.get(launch) ?? 0) - ns);
  known.set(row, found);
  return found;
}

/** Whether a row's net time is proved to be above 0, and is so in each of its launches. @param {Row} row */
export function hasNet(row) {
  const { net } = figuresOf(row);
  return net.size >= LEAST_LAUNCHES && [...net.values()].every((ns) => ns > 0) && row.net_ns > 0 && !(row.net_low_ns !== null && row.net_low_ns <= 0);
}

/** Why the sampling of a group ended. @param {RunData} run @param {Record<string, any>} group */
export function stopOf(run, group) {
  return run.stops.findLast((/** @type {any} */ stop) => ["test", "dataset", "profile"].every((name) => stop[name] === group[name]));
}

/** @param {any} a @param {any} b */
export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
