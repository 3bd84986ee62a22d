// From a run file to one record a row, as src/serbench/results/analysis.py and page/data.py make them.

import { groupFigures, shortest } from "./launches.mjs";
import { atFloor, median, pairedRatio, ranks, shortRuns, timeInterval, typical } from "./statistics.mjs";

/** @typedef {import("./statistics.mjs").Figures} Figures */
/** @typedef {import("./statistics.mjs").Interval} Interval */
/** @typedef {import("./statistics.mjs").Sample} Sample */
/** A row as it is in a run file. @typedef {Record<string, any>} RowRecord */
/** A run as it is in a run file. @typedef {Record<string, any>} RunFile */

/**
 * One row of one run: the fields of RowSummary, and what the page needs besides.
 * @typedef {Record<string, any> & {id: number, row: string, name: string, contender: string, test: string,
 *   dataset: string, profile: string, role: string, status: string, labels: string[],
 *   baseline: number | null, figures: number[][], samples: number[][]}} Row
 */
/** What a run says of itself, and its rows. @typedef {Record<string, any> & {id: string, rows: Row[], every: number}} RunData */

const TESTS = ["write", "tree", "incremental"];
const STATUSES = ["ok", "failed", "unsupported", "unavailable"];
const GROUP = /** @type {const} */ (["test", "dataset", "profile"]);

/** @param {Record<string, any>} record */
export function groupOf(record) {
  return JSON.stringify(GROUP.map((name) => record[name]));
}

/** What a row shares with the baseline that is subtracted from it. @param {RowRecord} row */
function familyOf(row) {
  return JSON.stringify([row.harness, row.toolchain, row.allocator, row.platform]);
}

/**
 * Return the page's record of a whole run file that has been checked (load.mjs).
 * @param {RunFile} run @returns {RunData}
 */
export function analyse(run) {
  /** @type {Map<number, Sample[]>} */
  const samples = new Map();
  for (const sample of run.samples) {
    const known = samples.get(sample.row);
    if (known) known.push(sample);
    else samples.set(sample.row, [sample]);
  }
  /** @type {Map<number, RowRecord>} */
  const failures = new Map();
  for (const failure of run.failures) if (!failures.has(failure.row)) failures.set(failure.row, failure);
  /** @type {Map<string, RowRecord[]>} */
  const groups = new Map();
  for (const row of run.rows) {
    const group = groups.get(groupOf(row));
    if (group) group.push(row);
    else groups.set(groupOf(row), [row]);
  }
  const messages = new Map(run.datasets.map((/** @type {RowRecord} */ d) => [d.name, d.messages]));
  const rows = orderedGroups(run, [...groups.values()]).flatMap((group) =>
    analyseGroup(run, group, samples, failures, messages.get(group[0].dataset) ?? 1));
  const { rows: _rows, samples: _samples, failures: _failures, ...facts } = run;
  return { ...facts, id: run.id, rows, every: 1 };
}

/** @param {RunFile} run @param {RowRecord[][]} groups */
function orderedGroups(run, groups) {
  const datasets = run.datasets.map((/** @type {RowRecord} */ d) => d.name);
  const place = (/** @type {string[]} */ known, /** @type {string} */ name) =>
    known.includes(name) ? known.indexOf(name) : known.length;
  return groups.sort(([a], [b]) =>
    place(TESTS, a.test) - place(TESTS, b.test) || compare(a.test, b.test)
    || place(datasets, a.dataset) - place(datasets, b.dataset)
    || compare(a.dataset, b.dataset) || compare(a.profile, b.profile));
}

/** @param {any} a @param {any} b */
export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * @param {RunFile} run @param {RowRecord[]} rows @param {Map<number, Sample[]>} samples
 * @param {Map<number, RowRecord>} failures @param {number} messages @returns {Row[]}
 */
function analyseGroup(run, rows, samples, failures, messages) {
  const usable = (/** @type {RowRecord} */ row) => row.status === "ok" && !failures.has(row.id);
  const raws = groupFigures(
    new Map(rows.map((row) => [row.id, usable(row) ? samples.get(row.id) ?? [] : []])),
    new Map(rows.map((row) => [row.id, row.statistic])),
  );
  const baselines = new Map(
    rows.filter((row) => row.role === "baseline" && !row.variant).map((row) => [familyOf(row), row.id]),
  );
  const baselineOf = (/** @type {RowRecord} */ row) =>
    row.role === "baseline" ? null : baselines.get(familyOf(row)) ?? null;
  const figures = new Map(rows.map((row) => {
    const raw = raws.get(row.id) ?? new Map();
    return [row.id, { raw, net: netFigures(raw, raws.get(baselineOf(row) ?? -1)) }];
  }));
  const contenders = rows.filter((row) => row.role === "contender");
  const given = ranks(contenders.map((row) => /** @type {any} */ (figures.get(row.id))), run.settings.threshold);
  const ranked = new Map(contenders.map((row, n) => [row.id, given[n]]));
  const names = namesOf(rows);
  return rows
    .map((row) => summary(run, row, {
      messages,
      own: samples.get(row.id) ?? [],
      ...(figures.get(row.id) ?? { raw: new Map(), net: new Map() }),
      baseline: baselineOf(row),
      baselineRaw: raws.get(baselineOf(row) ?? -1) ?? new Map(),
      baselineSamples: samples.get(baselineOf(row) ?? -1) ?? [],
      failure: failures.get(row.id),
      rank: ranked.get(row.id) ?? null,
      name: names.get(row.id) ?? row.contender,
    }))
    .sort((a, b) => compareKeys(order(a), order(b)));
}

/** Raw less the baseline within each launch that has both. @param {Figures} raw @param {Figures | undefined} baseline @returns {Figures} */
export function netFigures(raw, baseline) {
  const net = new Map();
  for (const [launch, ns] of raw) {
    const less = baseline?.get(launch);
    if (less !== undefined) net.set(launch, ns - less);
  }
  return net;
}

/** @param {string} prefix @param {Interval | null} interval */
function bounded(prefix, interval) {
  const finite = interval && Number.isFinite(interval.low) && Number.isFinite(interval.high);
  const [value, low, high] = prefix === "overhead"
    ? ["overhead", "overhead_low", "overhead_high"]
    : [`${prefix}_ns`, `${prefix}_low_ns`, `${prefix}_high_ns`];
  return {
    [value]: interval ? interval.value : null,
    [low]: finite ? interval.low : null,
    [high]: finite ? interval.high : null,
  };
}

/**
 * @param {RunFile} run @param {RowRecord} row
 * @param {{messages: number, own: Sample[], raw: Figures, net: Figures, baseline: number | null,
 *   baselineRaw: Figures, baselineSamples: Sample[], failure: RowRecord | undefined, rank: number | null,
 *   name: string}} found
 * @returns {Row}
 */
function summary(run, row, found) {
  const { messages, failure } = found;
  const share = (/** @type {number | null | undefined} */ number) =>
    number === null || number === undefined ? null : number / messages;
  const shared = (/** @type {Figures} */ figures) => new Map([...figures].map(([n, ns]) => [n, ns / messages]));
  const [raw, net] = [shared(found.raw), shared(found.net)];
  const netInterval = net.size ? timeInterval([...net.values()]) : null;
  const short = raw.size ? shortRuns(found.own) : null;
  const shortBaseline = found.baselineRaw.size ? shortRuns(found.baselineSamples) : null;
  const [status, reason, output] = outcome(run, row, failure, raw.size > 0);
  return /** @type {any} */ ({
    ...Object.fromEntries(COPIED.map((name) => [name, row[name]])),
    run: run.id,
    language_name: row.language_name || row.language,
    format_name: row.format_name || row.format,
    status, reason, output,
    rank: found.rank,
    ...bounded("net", netInterval),
    ...bounded("raw", raw.size ? timeInterval([...raw.values()]) : null),
    ...bounded("overhead", found.baseline === null ? null : pairedRatio(found.raw, found.baselineRaw)),
    typical_ns: raw.size ? typical(found.own) / messages : null,
    bytes: share(row.bytes),
    labels: labelsOf(row),
    launches: raw.size,
    few_samples: status === "ok" && !row.platform && raw.size < run.settings.launches,
    at_floor: atFloor(raw, net),
    short_runs_ns: short && short.mean / messages,
    short_runs_deviation_ns: short && short.deviation / messages,
    short_runs_net_ns: short && shortBaseline && (short.mean - shortBaseline.mean) / messages,
    short_runs_net_deviation_ns:
      short && shortBaseline && Math.hypot(short.deviation, shortBaseline.deviation) / messages,
    heap_allocations: share(row.heap?.allocations),
    heap_bytes: share(row.heap?.bytes),
    heap_peak: row.heap?.peak ?? null,
    instructions: share(row.instructions),
    messages,
    code_size: row.code_size_kind === "linked" ? row.code_size : null,
    bundle_size: row.code_size_kind === "bundle" ? row.code_size : null,
    name: found.name,
    baseline: found.baseline,
    figures: [...raw],
    samples: found.own.map((s) =>
      [s.launch, s.round, short5(shortest(s) / messages), short5(median(s.wall) / s.iterations / messages)]),
  });
}

const COPIED = [
  "id", "row", "contender", "program", "contender_id", "language", "library_version", "format", "test", "variant", "dataset",
  "profile", "role", "hash", "origin", "compiler", "flags", "api", "verified_by", "toolchain", "allocator",
  "code_size_reason", "instructions_reason", "platform",
];

/** @param {number} number */
function short5(number) {
  return Number(number.toPrecision(5));
}

/** @param {RowRecord} row */
function labelsOf(row) {
  const labels = [...row.labels];
  if (row.doubles?.changed > 0 && !labels.some((label) => label.startsWith("changes doubles"))) {
    const [digits, power] = row.doubles.max_relative.toExponential(1).split("e");
    const exponent = `${power[0]}${power.slice(1).padStart(2, "0")}`;
    labels.push(`changes doubles, by up to ${digits}e${exponent} (relative)`);
  }
  return labels;
}

/** @param {RunFile} run @param {RowRecord} row @param {RowRecord | undefined} failure @param {boolean} measured @returns {[string, string, string]} */
function outcome(run, row, failure, measured) {
  if (row.status === "ok" && failure) return ["failed", failure.reason, failure.output];
  if (row.status === "ok" && !measured && !row.platform) {
    const stop = stopOf(run, row);
    return ["ok", `not measured${stop ? `: ${stop.reason}` : ""}`, ""];
  }
  return [row.status, row.reason, row.output];
}

/** Why the sampling of a row's group ended. @param {RunFile} run @param {Record<string, any>} row */
export function stopOf(run, row) {
  return run.stops.findLast((/** @type {RowRecord} */ stop) => groupOf(stop) === groupOf(row));
}

/** @param {Row} row */
function order(row) {
  const place = row.raw_ns !== null ? (row.role === "contender" ? 0 : 1) : 2 + STATUSES.indexOf(row.status);
  return [place, row.net_ns ?? Infinity, row.raw_ns ?? 0, row.id];
}

/** @param {number[]} a @param {number[]} b */
function compareKeys(a, b) {
  const different = a.findIndex((value, n) => value !== b[n]);
  return different < 0 ? 0 : compare(a[different], b[different]);
}

/** Names by which the rows of one group can be told apart. @param {RowRecord[]} rows @returns {Map<number, string>} */
function namesOf(rows) {
  const [compilers, allocators] = [hasChoice(rows, "toolchain"), hasChoice(rows, "allocator")];
  /** @type {Map<string, Set<string>>} */
  const languages = new Map();
  const same = (/** @type {RowRecord} */ row) => JSON.stringify([row.contender, row.variant, row.format]);
  for (const row of rows) languages.set(same(row), (languages.get(same(row)) ?? new Set()).add(row.language));
  return new Map(rows.map((row) => {
    const shared = (languages.get(same(row))?.size ?? 0) > 1;
    const remarks = [row.variant, shared ? row.language_name || row.language : ""].filter(Boolean).join(", ");
    const parts = [remarks ? `${row.contender} (${remarks})` : row.contender];
    if (compilers && row.toolchain) parts.push(row.toolchain);
    if (allocators && row.allocator) parts.push(row.allocator);
    return [row.id, parts.join(" · ")];
  }));
}

/** Whether rows of one language differ in `what`. @param {RowRecord[]} rows @param {string} what */
function hasChoice(rows, what) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const row of rows) {
    const values = found.get(row.language) ?? new Set();
    found.set(row.language, row[what] ? values.add(row[what]) : values);
  }
  return [...found.values()].some((values) => values.size > 1);
}
