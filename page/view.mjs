// From all rows and the choices to what is in view: filtered, with ratios, sorted. No drawing here.

import { compare, figuresOf } from "./rows.mjs";
import { logRatio, pairedRatio, ratioInterval } from "./statistics.mjs";
import { several } from "./state.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./metrics.mjs").Metric} Metric */
/** @typedef {import("./state.mjs").State} State */
/** @typedef {import("./statistics.mjs").Interval} Interval */
/**
 * A row in view. `ratio` is to the reference, `best` to the best in view, both so that above 1 is worse.
 * @typedef {{row: Row, run: RunData, at: number, key: string, value: number | null,
 *   ratio: Interval | null, best: number | null}} Entry
 */
/**
 * @typedef {object} View
 * @property {Metric} metric
 * @property {Entry[]} ranked contenders with a value, sorted
 * @property {Entry[]} others rows without a rank: baseline and floor
 * @property {Entry[]} missing contenders without a value in this metric
 * @property {Entry | null} reference
 * @property {Map<string, string[]>} facets the values of each filter in this group
 * @property {string[]} hidden keys
 * @property {boolean} counted on an emulated platform: its rows have no times and no ranks
 * @property {string[]} shared the labels that all of a counted group's rows have
 */

/** The filters, and the field of a row that each is about. */
export const FILTERS = {
  language: "language_name", format: "format_name", variant: "variant", compiler: "toolchain", allocator: "allocator",
  cpu: "cpu", data: "data",
};
export const GROUP = /** @type {const} */ (["platform", "test", "dataset", "profile"]);
/** The platform of all rows that were not counted on an emulated one. */
export const HERE = "this machine";
const PLAIN = "(plain)";

/** A group's platform, test, dataset and profile. @typedef {Record<string, string>} Group */
/** @type {WeakMap<RunData, {group: Group, rows: Row[]}[]>} */
const grouped = new WeakMap();

/** The group of a row. @param {Row} row @returns {Group} */
export function groupOfRow(row) {
  return Object.fromEntries(GROUP.map((name) => [name, name === "platform" ? row.platform || HERE : row[name]]));
}

/** What tells a row's group from others. @param {Row} row */
export function groupKey(row) {
  return JSON.stringify(Object.values(groupOfRow(row)));
}

/** Whether two groups are the same, or a state names this one. @param {Group} group @param {Record<string, string>} other */
function isGroup(group, other) {
  return GROUP.every((name) => group[name] === other[name]);
}

/** The groups of some rows, in the order in which they come. @param {Row[]} rows */
export function groupsAmong(rows) {
  /** @type {Map<string, {group: Group, rows: Row[]}>} */
  const found = new Map();
  for (const row of rows) {
    const key = groupKey(row);
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { group: groupOfRow(row), rows: [row] });
  }
  return [...found.values()];
}

/** The groups of a run. @param {RunData} run */
export function groupsOf(run) {
  const known = grouped.get(run) ?? groupsAmong(run.rows);
  grouped.set(run, known);
  return known;
}

/** Rows of a run by their platform. @type {WeakMap<RunData, Map<string, Row[]>>} */
const placed = new WeakMap();

/** The rows of a run on a platform. @param {RunData} run @param {string} platform @returns {Row[]} */
export function rowsOn(run, platform) {
  const known = placed.get(run) ?? new Map();
  placed.set(run, known);
  const rows = known.get(platform) ?? groupsOf(run).flatMap(({ group, rows: own }) => (group.platform === platform ? own : []));
  known.set(platform, rows);
  return rows;
}

/** The rows of a group that a state names. @param {RunData} run @param {State} state */
export function rowsIn(run, state) {
  return groupsOf(run).find(({ group }) => isGroup(group, state))?.rows ?? [];
}

/** The platforms that rows of a run are of. @param {RunData} run */
export function platformsOf(run) {
  return [...new Set(groupsOf(run).map(({ group }) => group.platform))];
}

/** Whether a run has rows that are timed, not counted on an emulated platform. @param {RunData} run */
export function isTimed(run) {
  return platformsOf(run).includes(HERE);
}

/** What a row is called in addresses, the same in every test and on every dataset. @param {Row} row */
export function keyOf(row) {
  const unusual = [row.allocator === "system" ? "" : row.allocator, row.cpu === "baseline" ? "" : row.cpu];
  return [row.contender_id, row.variant, row.toolchain, ...unusual].join("~").replace(/~+$/, "");
}

/** The value of a filter's field as it is offered. @param {Row} row @param {keyof typeof FILTERS} filter @returns {string} */
function facet(row, filter) {
  return row[FILTERS[filter]] || PLAIN;
}

/**
 * The runs that a view is about, by their numbers: the one that is chosen, or the first that has the platform.
 * @param {RunData[]} runs @param {State} state
 */
export function runsInView(runs, state) {
  const all = runs.map((run, at) => ({ run, at }));
  if (state.run === "all") return all;
  const chosen = all.find(({ run }) => run.id === state.run)
    ?? all.find(({ run }) => platformsOf(run).includes(state.platform)) ?? all.find(({ run }) => run.rows.length) ?? all[0];
  return [chosen];
}

/** The platforms, tests, datasets and profiles to choose from, and the state with choices that exist. @param {RunData[]} runs @param {State} state */
export function settled(runs, state) {
  return narrowed(runsInView(runs, state).flatMap(({ run }) => groupsOf(run)), state);
}

/** The same for some groups. @param {{group: Group}[]} among @param {State} state */
export function narrowed(among, state) {
  let groups = among.map(({ group }) => group);
  const settledState = { ...state };
  /** @type {Record<string, string[]>} */
  const choices = {};
  for (const name of GROUP) {
    choices[name] = [...new Set(groups.map((group) => group[name]))];
    if (!choices[name].includes(state[name])) settledState[name] = choices[name][0] ?? "";
    groups = groups.filter((group) => group[name] === settledState[name]);
  }
  return { state: settledState, choices };
}

/**
 * a / b in a metric, with an interval where the metric has launches: paired in one run, Welch's between two.
 * @param {Entry} a @param {Entry} b @param {Metric} metric @returns {Interval | null}
 */
export function ratioOf(a, b, metric) {
  const which = metric.id === "net" || metric.id === "raw" ? metric.id : null;
  if (which) {
    if (which === "net" && (a.row.at_floor || b.row.at_floor)) return null;
    const [x, y] = [figuresOf(a.row)[which], figuresOf(b.row)[which]];
    if (a.at === b.at) return pairedRatio(x, y);
    const log = logRatio(x, y);
    return log && ratioInterval(log);
  }
  const value = plainRatio(a, b, metric);
  return value === null ? null : { value, low: value, high: value };
}

/** a / b of two values, turned over where more is better; null without a ratio. @param {Entry} a @param {Entry} b @param {Metric} metric */
function plainRatio(a, b, metric) {
  if (metric.id === "net" && (a.row.at_floor || b.row.at_floor)) return null;
  const [x, y] = metric.more ? [b.value, a.value] : [a.value, b.value];
  if (x === null || y === null || x < 0 || y < 0) return null;
  return x === y ? 1 : y > 0 ? x / y : null;
}

/** @param {RunData[]} runs @param {State} state a settled one @param {Metric[]} metrics at least one @returns {View} */
export function viewOf(runs, state, metrics) {
  const metric = metrics.find(({ id }) => id === state.metric) ?? metrics[0];
  const counted = state.platform !== HERE;
  const hidden = several(state.hide);
  const entries = runsInView(runs, state).flatMap(({ run, at }) => rowsIn(run, state)
    .map((row) => ({ row, run, at, key: keyOf(row), value: metric.value(row, run), ratio: null, best: null })));
  const contenders = entries.filter(({ row }) => row.role === "contender");
  const shown = contenders.filter((entry) => chosen(entry, state) && !hidden.includes(entry.key));
  const ranked = shown.filter(({ value }) => value !== null);
  const reference = ranked.find((entry) => refOf(entry) === state.ref) ?? null;
  addRatios(ranked, reference, metric);
  return {
    metric,
    ranked: sorted(ranked, state, metric, metrics),
    others: entries.filter(({ row, value }) => row.role !== "contender" && value !== null),
    missing: shown.filter(({ value }) => value === null),
    reference,
    facets: facetsOf(contenders),
    hidden,
    counted,
    shared: counted ? sharedLabels(contenders) : [],
  };
}

/** The labels that all rows with figures have. @param {Entry[]} entries @returns {string[]} */
function sharedLabels(entries) {
  const [first, ...others] = entries.filter(({ row }) => row.instructions !== null);
  return first ? first.row.labels.filter((label) => others.every(({ row }) => row.labels.includes(label))) : [];
}

/** How an address names a row as the reference. @param {Entry} entry */
export function refOf(entry) {
  return entry.at ? `${entry.key}@${entry.run.id}` : entry.key;
}

/** @param {Entry} entry @param {State} state */
function chosen({ row }, state) {
  const wanted = /** @type {(keyof typeof FILTERS)[]} */ (Object.keys(FILTERS));
  if (!wanted.every((name) => !state[name] || facet(row, name) === state[name])) return false;
  if (state.find && !`${row.name} ${row.format_name} ${row.language_name}`.toLowerCase().includes(state.find.toLowerCase())) {
    return false;
  }
  if (!state.label) return true;
  const [sign, label] = [state.label[0], state.label.slice(1)];
  return sign === "0" ? !row.labels.length : row.labels.includes(label) === (sign === "+");
}

/** @param {Entry[]} contenders */
function facetsOf(contenders) {
  const facets = new Map();
  for (const name of /** @type {(keyof typeof FILTERS)[]} */ (Object.keys(FILTERS))) {
    const values = [...new Set(contenders.map(({ row }) => facet(row, name)))].sort();
    if (values.length > 1) facets.set(name, values);
  }
  const labels = [...new Set(contenders.flatMap(({ row }) => row.labels))].sort();
  if (labels.length) facets.set("label", labels);
  return facets;
}

/** @param {Entry[]} entries @param {Entry | null} reference @param {Metric} metric */
function addRatios(entries, reference, metric) {
  const best = bestOf(entries, metric);
  for (const entry of entries) {
    entry.best = best && plainRatio(entry, best, metric);
    entry.ratio = reference && ratioOf(entry, reference, metric);
  }
}

/** The best of some rows in a metric. @param {Entry[]} entries @param {Metric} metric @returns {Entry | null} */
export function bestOf(entries, metric) {
  const usable = entries.filter(({ row, value }) => value !== null && !(metric.id === "net" && row.at_floor));
  const sign = metric.more ? -1 : 1;
  return usable.reduce((/** @type {Entry | null} */ best, entry) =>
    best && sign * (best.value ?? 0) <= sign * (entry.value ?? 0) ? best : entry, null);
}

/** @type {Record<string, (entry: Entry) => any>} */
const SORTS = {
  rank: ({ row }) => row.rank,
  name: ({ row }) => row.name.toLowerCase(),
  run: ({ at }) => at,
  language: ({ row }) => row.language_name,
  version: ({ row }) => row.library_version,
  format: ({ row }) => row.format_name,
  ratio: (entry) => entry.ratio?.value ?? null,
  labels: ({ row }) => row.labels.length,
};

/**
 * Best first: by the ranks, which are of net times in one run, or by another metric.
 * @param {Entry[]} entries @param {Metric} metric
 */
export function bestFirst(entries, metric) {
  const byRank = metric.id === "net" && new Set(entries.map(({ at }) => at)).size === 1;
  const best = metric.more ? -1 : 1;
  return [...entries].sort((a, b) => (byRank ? 0 : best * compare(a.value, b.value)) || compareRanks(a.row, b.row));
}

/** By rank and then by net time; what has none comes last. @param {Row} a @param {Row} b */
function compareRanks(a, b) {
  const [first, last, net] = ["rank", "rank_last", "net_ns"].map((name) => compare(a[name] ?? Infinity, b[name] ?? Infinity));
  return first || last || net || a.id - b.id;
}

/**
 * Sorted by the column that the state names, or best first; what is missing comes last.
 * @param {Entry[]} entries @param {State} state @param {Metric} metric @param {Metric[]} metrics
 */
function sorted(entries, state, metric, metrics) {
  const [down, name] = state.sort.startsWith("-") ? [-1, state.sort.slice(1)] : [1, state.sort];
  const column = metrics.find(({ id }) => id === name);
  const of = Object.hasOwn(SORTS, name) ? SORTS[name] : column ? valueIn(column) : null;
  if (!of) return bestFirst(entries, metric);
  return [...entries].sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    const missing = Number(x === null) - Number(y === null);
    return missing || down * compare(x, y) || compareRanks(a.row, b.row);
  });
}

/** @param {Metric} metric @returns {(entry: Entry) => number | null} */
function valueIn(metric) {
  return ({ row, run }) => metric.value(row, run);
}

/** The rows that no other beats in both size and the metric. @param {Entry[]} entries @param {Metric} metric @returns {Set<Entry>} */
export function paretoFront(entries, metric) {
  const sign = metric.more ? -1 : 1;
  const ordered = entries
    .filter(({ row, value }) => row.bytes !== null && value !== null)
    .sort((a, b) => a.row.bytes - b.row.bytes || sign * ((a.value ?? 0) - (b.value ?? 0)));
  const front = new Set();
  let best = Infinity;
  for (const entry of ordered) {
    if (sign * (entry.value ?? 0) < best) {
      front.add(entry);
      best = sign * (entry.value ?? 0);
    }
  }
  return front;
}
