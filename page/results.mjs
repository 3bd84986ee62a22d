// The first part of the page: choices, charts, table, and what is missing.

import { answersOf } from "./answer.mjs";
import { figure } from "./charts.mjs";
import { choice, h, scrollingTable } from "./dom.mjs";
import { inLine, scaleOf, shown } from "./metrics.mjs";
import { allFormats, namesIn, unique } from "./naming.mjs";
import { copy, csvOf, markdownOf } from "./share.mjs";
import { stopOf } from "./rows.mjs";
import { joined } from "./state.mjs";
import { colourLegend, FEW, rankText, tableOf } from "./table.mjs";
import { count, relative, significant, visible } from "./text.mjs";
import { bestFirst, FILTERS, GROUP, paretoFront, platformsOf, runsInView, viewOf } from "./view.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./metrics.mjs").Metric} Metric */
/** @typedef {import("./table.mjs").Actions} Actions */
/** @typedef {import("./view.mjs").Entry} Entry */
/** @typedef {import("./view.mjs").View} View */
/** @typedef {{runs: RunData[], state: import("./state.mjs").State, asked: import("./state.mjs").State, choices: Record<string, string[]>, metrics: Metric[], actions: Actions, orders: import("./orders.mjs").Orders | null}} Context */

const MOST_BARS = 24;
const MOST_POINTS = 400;
const LOGARITHMIC = 12;
/** @type {Record<string, string>} */
const TESTS = {
  write: "Writing: the value tree is encoded into a growing buffer.",
  tree: "Reading into a tree: bytes become a tree, which is walked and freed.",
  incremental: "Incremental reading: bytes are read element by element, without a tree.",
};
/** @type {Record<string, string>} */
const STOPS = {
  "precise enough": "the intervals were narrow enough", "most launches": "the most launches were reached",
  "time used up": "the time was used up", interrupted: "it was interrupted", "no rows": "there was no row to measure",
};

/** @param {Context} context @returns {Node[]} */
export function resultsOf(context) {
  const { runs, state, metrics, actions } = context;
  const view = viewOf(runs, state, metrics);
  const several = runsInView(runs, state).length > 1;
  return [
    ...answersOf(runsInView(runs, state).map(({ run }) => run), (row) => actions.choose({ row })),
    controls(context, view),
    caption(view, context),
    remarks(runsInView(runs, state).map(({ run }) => run)),
    view.ranked.length ? h("div", { class: "charts" }, ranking(view, runs, actions), pareto(againstSize(view, metrics), runs, actions)) : null,
    h("section", { "aria-label": "Table" },
      h("div", { class: "figure-head" }, h("h2", {}, `${view.ranked.length} contender${view.ranked.length === 1 ? "" : "s"}`), copyButtons(view, metrics, several)),
      view.ranked.length ? [colourLegend(), tableOf(view, state, metrics, several, actions)] : h("p", {}, "No contender that these filters leave has a figure here."),
      view.ranked.length > FEW && !state.all
        ? h("button", { type: "button", id: "show-all", click: () => actions.choose({ all: "1" }) }, `Show the other ${view.ranked.length - FEW}`) : null),
    missing(view, several, actions),
  ].filter((part) => part !== null);
}

/** @param {Context} context @param {View} view */
function controls({ runs, state, choices, metrics, actions, orders }, view) {
  const plain = (/** @type {string[]} */ values) => values.map((v) => /** @type {[string, string]} */ ([v, v]));
  const any = (/** @type {string[]} */ values) => /** @type {[string, string][]} */ ([["", "all"], ...plain(values)]);
  const inView = runsInView(runs, state).map(({ run }) => run);
  const platforms = [...new Set(runs.flatMap(platformsOf))];
  // A run that is in view stays so if it has the platform; else the first that has it comes.
  const toPlatform = { choose: (/** @type {import("./state.mjs").State} */ { platform }) =>
    actions.choose({ platform, run: inView.some((run) => platformsOf(run).includes(platform)) ? state.run : "" }) };
  const called = runs.flatMap(({ rows, id }, n) => rows.length ? [/** @type {[string, string]} */ ([id, orders?.machines[n]?.join(" · ") ?? id])] : []);
  /** @type {(Node | null)[]} */
  const made = [
    runs.length > 1 ? choice("run", orders ? "machine" : "run", [...called, ["all", "all side by side"]], { ...state, run: state.run === "all" ? "all" : inView[0].id }, actions) : null,
    platforms.length > 1 ? choice("platform", "platform", plain(platforms), state, toPlatform) : null,
    ...GROUP.slice(1).map((name) => choices[name].length > 1 ? choice(name, name, plain(choices[name]), state, actions) : null),
    choice("metric", "metric", metrics.map(({ id, name }) => [id, name]), state, actions),
    ...Object.keys(FILTERS).map((name) => view.facets.has(name) ? choice(name, name, any(view.facets.get(name) ?? []), state, actions) : null),
    view.facets.has("label") ? choice("label", "notes", [["", "any"], ["0", "none"],
      .../** @type {[string, string][]} */ ((view.facets.get("label") ?? []).flatMap((label) => [[`-${label}`, `without: ${label}`], [`+${label}`, `only: ${label}`]]))], state, actions) : null,
    h("label", { class: "choice" }, h("span", {}, "find"),
      h("input", { type: "search", id: "choose-find", value: state.find, placeholder: "name", input: (/** @type {any} */ e) => actions.choose({ find: e.target.value }) })),
  ];
  const changed = [...Object.keys(FILTERS), "label", "find", "hide", "ref"].some((name) => state[name]);
  return h("form", { class: "controls", "aria-label": "What is shown", submit: (/** @type {Event} */ e) => e.preventDefault() }, made,
    changed && h("button", { type: "button", id: "clear", click: () => actions.choose({ ...Object.fromEntries(Object.keys(FILTERS).map((n) => [n, ""])), label: "", find: "", hide: "", ref: "" }) }, "Clear filters"),
    view.hidden.length > 0 && h("p", { class: "hidden-rows" }, "Hidden: ", view.hidden.map((key) => h("button", {
      type: "button", class: "chip", "aria-label": `Show ${visible(key)} again`,
      click: () => actions.choose({ hide: joined(view.hidden.filter((other) => other !== key)) }),
    }, `${visible(key.replaceAll("~", " "))} ×`))));
}

/** @param {View} view @param {Context} context */
function caption(view, { runs, state }) {
  const inView = runsInView(runs, state);
  const sentences = [TESTS[state.test] ?? visible(state.test), `Data: ${visible(state.dataset)}; profile ${visible(state.profile)}.`];
  if (view.counted) {
    const known = inView.flatMap(({ run }) => run.platforms ?? []).find((/** @type {any} */ { name }) => name === state.platform);
    if (known) sentences.push(`Counted on ${visible(state.platform)}: ${visible(known.title)}, which stands for ${known.stands_for.map(visible).join(", ")}; ${visible(known.emulator)}, ${visible(known.compiler)}.`);
    sentences.push("These are counts and no times: caches, the pipeline and the memory of a real processor are not in them.");
    if (view.shared.length) sentences.push(`Of all rows: ${view.shared.map(visible).join("; ")}.`);
  } else if (inView.length === 1) {
    const stop = stopOf(inView[0].run, state);
    if (stop) sentences.push(`${stop.launches} launch${stop.launches === 1 ? "" : "es"}; ended as ${STOPS[stop.reason] ?? visible(stop.reason)}.`);
  }
  const messages = view.ranked[0]?.row.messages ?? 1;
  if (messages > 1) sentences.push(`Figures are per message, the mean of ${messages}.`);
  return h("p", { class: "caption faint" }, sentences.map((sentence) => `${sentence} `),
    h("span", { id: "metric-meaning" }, `${view.metric.name}: ${view.metric.meaning}`));
}

/** What the runs say of how they were measured, such as what disturbed them. @param {RunData[]} runs */
function remarks(runs) {
  const said = runs.flatMap((run) => [
    ...(run.complete ? [] : ["It was interrupted: not all is here."]), ...run.notes.map((/** @type {string} */ note) => visible(note)),
  ].map((note) => (runs.length > 1 ? `${visible(run.id)}: ${note}` : note)));
  return said.length ? h("details", { class: "remarks" }, h("summary", {}, `${said.length} remark${said.length === 1 ? "" : "s"} on how it was measured`),
    h("ul", {}, said.map((note) => h("li", {}, note)))) : null;
}

/** Whether rows of several runs are in view. @param {View} view */
function ofSeveral({ ranked }) {
  return new Set(ranked.map(({ at }) => at)).size > 1;
}

/** What is drawn of entries, in the unit of the chart. @param {View} view @param {Entry[]} entries */
function drawable(view, entries) {
  const { metric } = view;
  const several = ofSeveral(view);
  const names = namesIn(entries.map(({ row }) => row));
  const [unit, scale] = scaleOf(metric, entries.map(({ value }) => value));
  const title = unit ? `${metric.name}, ${unit}` : metric.kind === "rate" ? `${metric.name}, MB/s` : [metric.name, metric.unit].filter(Boolean).join(", ");
  const rows = entries.map((entry, n) => {
    const interval = metric.interval?.(entry.row) ?? null;
    const value = (entry.value ?? 0) / scale;
    const half = interval ? ` ±${relative((interval[1] - interval[0]) / 2, entry.value ?? 0)}` : "";
    const written = metric.kind === "number" && value >= 100 ? count(Math.round(value)) : significant(value, 3);
    const brief = entry.row.at_floor && metric.id === "net" ? "below resolution" : written;
    return {
      key: `${entry.at}:${entry.row.id}`, label: several ? `${names[n]} @ ${visible(entry.run.id)}` : names[n], format: visible(entry.row.format_name), bytes: entry.row.bytes,
      value: Math.max(0, value), low: interval ? Math.max(0, interval[0] / scale) : null, high: interval ? interval[1] / scale : null, brief, text: entry.row.at_floor && metric.id === "net" ? brief : brief + half,
      tip: `${visible(entry.row.name)}, ${visible(entry.row.format_name)}: ${entry.row.at_floor && metric.id === "net" ? brief : shown(metric, entry.value) + half}${entry.row.bytes === null ? "" : `, ${count(entry.row.bytes)} bytes`}`,
    };
  });
  return { rows, title };
}

/** @param {View} view @param {Actions} actions @returns {(key: string) => void} */
function opener(view, actions) {
  return (key) => {
    const entry = view.ranked.find(({ at, row }) => `${at}:${row.id}` === key);
    if (entry) actions.open(entry);
  };
}

/** @param {View} view @param {RunData[]} runs @param {Actions} actions */
function ranking(view, runs, actions) {
  const entries = bestFirst(view.ranked, view.metric).slice(0, MOST_BARS);
  const { rows, title } = drawable(view, entries);
  // They are by net time; bytes per second of the encoding have another order.
  const withRanks = ["net", "raw", "typical", "jsonrate"].includes(view.metric.id) && !ofSeveral(view);
  const labelled = rows.map((row, n) => ({ ...row, label: withRanks ? `${rankText(entries[n].row)}  ${row.label}` : row.label }));
  const left = view.ranked.length - entries.length;
  return figure({
    name: "ranking", title: `Ranking by ${inLine(view.metric)}`, rows: unique(labelled), signals: { title, formats: allFormats(runs) },
    says: [
      view.metric.interval ? "Lines at the ends of bars are 95 % intervals." : "",
      withRanks ? "The ranks are those that comparisons by net time leave open." : "",
      left > 0 ? `${left} more in the table.` : "",
    ].filter(Boolean).join(" "),
    click: opener(view, actions),
  });
}

/** The view in the metric that is drawn against the size: the size itself gives way to the first. @param {View} view @param {Metric[]} metrics @returns {View} */
function againstSize(view, metrics) {
  const metric = view.metric.id === "bytes" ? metrics.find(({ id }) => id !== "bytes") : view.metric;
  if (!metric || metric === view.metric) return view;
  const ranked = view.ranked.map((entry) => ({ ...entry, value: metric.value(entry.row, entry.run) }));
  return { ...view, metric, ranked: ranked.filter(({ value }) => value !== null) };
}

/** @param {View} view @param {RunData[]} runs @param {Actions} actions */
function pareto(view, runs, actions) {
  const { metric } = view;
  const usable = view.ranked.filter(({ row, value }) => row.bytes !== null && value !== null && (value > 0 || metric.kind === "number")
    && !(row.at_floor && metric.id === "net"));
  const front = paretoFront(usable, metric);
  const best = metric.more ? -1 : 1;
  const entries = [...usable].sort((a, b) => Number(front.has(b)) - Number(front.has(a)) || best * ((a.value ?? 0) - (b.value ?? 0))).slice(0, MOST_POINTS);
  const { rows, title } = drawable(view, entries);
  const values = rows.map(({ value }) => value).filter((value) => value > 0);
  return figure({
    name: "pareto", title: `Size against ${inLine(metric)}`,
    rows: rows.map((row, n) => ({ ...row, front: front.has(entries[n]) })), signals: { title, xtitle: "bytes of the encoding", formats: allFormats(runs) },
    change: (spec) => {
      // As high as the ranking beside it, within limits.
      spec.height = Math.min(520, Math.max(340, 84 + 24 * Math.min(MOST_BARS, view.ranked.length)));
      if (values.length === rows.length && Math.max(...values) > LOGARITHMIC * Math.min(...values)) {
        Object.assign(spec.scales[1], { type: "log", nice: false });
      }
      if (values.length < rows.length) spec.scales[1].padding = 0; // below 0 there is nothing
    },
    says: `The ringed rows on the dashed line are the Pareto front: no other row is better in both. Better is ${metric.more ? "up" : "down"} and to the left.`,
    click: opener(view, actions),
  });
}

/** @param {View} view @param {Metric[]} metrics @param {boolean} several */
function copyButtons(view, metrics, several) {
  const columns = [view.metric, ...metrics.filter((metric) => metric !== view.metric)];
  const table = () => {
    return {
      headers: ["rank", "contender", ...(several ? ["run"] : []), "language", "version", "format", view.reference ? "ratio to reference" : "ratio to best",
        ...columns.map(({ short, kind }) => short + (kind === "time" ? " ns" : "")), "notes"],
      rows: [...view.ranked, ...view.missing].map((entry) => [
        rankText(entry.row), entry.row.name, ...(several ? [entry.run.id] : []), entry.row.language_name, entry.row.library_version, entry.row.format_name,
        (view.reference ? entry.ratio?.value : entry.best) ?? null, ...columns.map((metric) => metric.value(entry.row, entry.run)),
        [...entry.row.labels, entry.value === null ? reasonOf(entry, view.metric) : ""].filter(Boolean).join("; ")]),
    };
  };
  return h("span", { class: "buttons" },
    h("button", { type: "button", id: "copy-markdown", click: () => copy(markdownOf(rounded(table())), "the table as Markdown") }, "Copy Markdown"),
    h("button", { type: "button", id: "copy-csv", click: () => copy(csvOf(table()), "the table as CSV") }, "Copy CSV"),
    h("button", { type: "button", id: "copy-link", click: () => copy(location.href, "the address of this view") }, "Copy address"));
}

/** For reading: five digits. @param {import("./share.mjs").Table} table */
function rounded({ headers, rows }) {
  return { headers, rows: rows.map((row) => row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(5)) : cell))) };
}

/** Why a row that is otherwise ok has no figure. @param {Entry} entry @param {Metric} metric */
function lackOf({ row }, metric) {
  return metric.reason?.(row) || row.reason || "it has no figure in this metric";
}

/** Why a row has no figure. @param {Entry} entry @param {Metric} metric */
function reasonOf(entry, metric) {
  const { status, reason } = entry.row;
  return status === "ok" ? lackOf(entry, metric) : [status, reason].filter(Boolean).join(": ");
}

/** @param {View} view @param {boolean} several @param {Actions} actions */
function missing(view, several, actions) {
  if (!view.missing.length) return null;
  const shownRows = view.missing.slice(0, FEW);
  return h("section", {}, h("h2", {}, `${view.missing.length} without a figure`),
    scrollingTable("Rows without a figure", { class: "missing" },
      [h("th", { scope: "col" }, "contender"), several && h("th", { scope: "col" }, "run"), h("th", { scope: "col" }, "format"), h("th", { scope: "col" }, "why")],
      shownRows.map((entry) => h("tr", {},
        h("th", { scope: "row" }, h("button", { type: "button", class: "name", id: `open-${entry.at}-${entry.row.id}`, click: () => actions.open(entry) }, visible(entry.row.name))),
        several && h("td", { class: "faint" }, visible(entry.run.id)),
        h("td", { class: "faint" }, visible(entry.row.format_name)),
        h("td", {}, h("span", { class: `status ${entry.row.status}` }, entry.row.status === "ok" ? "" : `${entry.row.status}: `), visible(entry.row.status === "ok" ? lackOf(entry, view.metric) : entry.row.reason))))),
    view.missing.length > FEW && h("p", { class: "faint" }, `${view.missing.length - FEW} more, which the filters can bring up.`));
}
