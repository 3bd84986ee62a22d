// The table of a view: one row a contender, cells coloured by their ratio to the best in view.

import { explained, h, scrollingTable } from "./dom.mjs";
import { bestOf, refOf } from "./view.mjs";
import { count, NONE, relative, significant, times, visible } from "./text.mjs";
import { meaningOf, scaleOf } from "./metrics.mjs";

/** @typedef {import("./metrics.mjs").Metric} Metric */
/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./view.mjs").Entry} Entry */
/** @typedef {import("./view.mjs").View} View */
/** @typedef {import("./state.mjs").State} State */
/**
 * @typedef {object} Actions
 * @property {(changes: State) => void} choose @property {(entry: Entry) => void} open
 * @property {(entry: Entry) => void} hide
 */
/** @typedef {{metric: Metric, unit: string, scale: number, texts: Map<Entry, string>, levels: Map<Entry, number>}} Figures */

export const FEW = 100;
/** Letters of a row's notes that its cell has; the others are in what it says on hover and in the row's details. */
const MOST_NOTE = 44;
export const LEVELS = [1.1, 1.5, 2.5, 5];

/** The metrics that have columns of their own beside the chosen one. @param {View} view @param {Metric[]} metrics */
function columnsOf(view, metrics) {
  const first = view.metric;
  return [first, ...metrics.filter((metric) => metric !== first
    && metric.column
    && view.ranked.some(({ row, run }) => metric.value(row, run) !== null))];
}

/** A metric's figures as texts whose points stand below each other. @param {Entry[]} entries @param {Metric} metric @param {Entry | null} best @returns {Figures} */
function figuresOf(entries, metric, best) {
  const values = new Map(entries.map((entry) => [entry, metric.value(entry.row, entry.run)]));
  const [unit, scale] = scaleOf(metric, entries.filter(({ row }) => row.role === "contender").map((entry) => values.get(entry) ?? null));
  const written = entries.map((entry) => {
    const value = values.get(entry) ?? null;
    if (metric.kind === "number") return metric.whole && value !== null ? count(Math.round(value)) : count(value);
    return significant(value === null ? null : value / scale, metric.kind === "time" ? 4 : 3);
  });
  const fraction = (/** @type {string} */ text) => text.length - (text + ".").indexOf(".");
  const widest = Math.max(0, ...written.map(fraction));
  const texts = new Map(entries.map((entry, n) => {
    // Figure and punctuation spaces are as wide as a digit and a point.
    const missing = widest - fraction(written[n]);
    const pad = fraction(written[n]) === 0 && missing ? "\u2008" + "\u2007".repeat(missing - 1) : "\u2007".repeat(missing);
    return [entry, written[n] + pad];
  }));
  const bestValue = best && metric.value(best.row, best.run);
  const levels = new Map(entries.flatMap((entry) => {
    const value = values.get(entry);
    if (value === null || value === undefined || bestValue === null || entry.row.role !== "contender") return [];
    const [x, y] = metric.more ? [bestValue, value] : [value, bestValue];
    if (y < 0 || x < 0 || (metric.id === "net" && entry.row.at_floor)) return [];
    const ratio = x === y ? 1 : x / y;
    const level = LEVELS.findIndex((most) => ratio <= most);
    return [[entry, level < 0 ? LEVELS.length : level]];
  }));
  return { metric, unit, scale, texts, levels };
}

/** @param {Figures} figures @param {Entry} entry */
function figureCell({ metric, texts, levels }, entry, first = false) {
  const { row } = entry;
  const level = levels.get(entry);
  const interval = first ? metric.interval?.(row) : null;
  const value = metric.value(row, entry.run);
  const atFloor = metric.id === "net" && row.at_floor && row.role === "contender";
  return h("td", { class: `figure${first ? " first" : ""}${level === undefined ? "" : ` level${level}`}`, "data-column": metric.id },
    atFloor ? h("span", { class: "faint words" }, "below resolution") : texts.get(entry),
    first && metric.interval && value !== null && !atFloor
      ? h("span", { class: "pm" }, interval ? `±${relative((interval[1] - interval[0]) / 2, value)}` : "±?") : null);
}

/** The ranks that a row may have, as shown: `3` or `3–5`. @param {Row} row @returns {string} */
export function rankText({ rank, rank_last: last }) {
  return rank === null ? NONE : rank === last ? `${rank}` : `${rank}–${last}`;
}

/**
 * @param {View} view @param {State} state @param {Metric[]} metrics @param {boolean} several whether there are several runs in view
 * @param {Actions} actions
 */
export function tableOf(view, state, metrics, several, actions) {
  const shown = state.all ? view.ranked : view.ranked.slice(0, FEW);
  const others = several ? view.others : view.others.filter(({ row }) => !row.variant);
  const columns = columnsOf(view, metrics).map((metric) =>
    figuresOf([...shown, ...others], metric, bestOf(view.ranked.map((e) => ({ ...e, value: metric.value(e.row, e.run) })), metric)));
  const withLanguage = new Set(view.ranked.map(({ row }) => row.language)).size > 1;
  const heads = columns.map(({ metric, unit }, n) => heading(metric.id, unit ? `${metric.short}, ${unit}` : metric.short, state, actions,
    n === 0 && metric.interval ? `${metric.meaning} ± is half its 95 % interval over launches.` : metric.meaning));
  const head = [
    !view.counted && heading("rank", "rank", state, actions, meaningOf("rank"), "left"),
    heading("name", "contender", state, actions, "The library and its variant. Click a name for everything that is known of the row.", "left"),
    several && heading("run", "run", state, actions, "The run that the row is of.", "left"),
    heads[0],
    heading("ratio", view.reference ? "× reference" : "× best", state, actions, view.reference
      ? `How many times the figure of ${visible(view.reference.row.name)}, with half the 95 % interval.` : "How many times the best figure in view. Choose a reference with ◎."),
    heading("format", "format", state, actions, "The format that is written or read.", "left format"),
    withLanguage && heading("language", "language", state, actions, "The language that the library is used from.", "left wide"),
    ...heads.slice(1),
    heading("labels", "notes", state, actions, "What must be known about a row.", "left")];
  const body = shown.map((entry) => bodyRow(entry, view.counted ? null : rankText(entry.row), view, columns, several, withLanguage, actions));
  const rest = others.map((entry) => h("tr", { class: "other" },
    !view.counted && h("td"), h("th", { scope: "row" }, visible(entry.row.name), h("span", { class: "faint" }, entry.row.role === "floor" ? " a lower bound" : " is subtracted")),
    several && h("td", { class: "faint" }, visible(entry.run.id)), figureCell(columns[0], entry, true), h("td"),
    h("td", { class: "format" }), withLanguage && h("td", { class: "wide" }, visible(entry.row.language_name)),
    columns.slice(1).map((figures) => figureCell(figures, entry)), h("td")));
  return scrollingTable("Table of results", { class: "results" }, head, body, rest.length ? rest : null);
}

/** @param {string} id @param {string} text @param {State} state @param {Actions} actions @param {string} meaning @param {string} [kind] */
function heading(id, text, state, actions, meaning, kind = "") {
  const sorted = state.sort === id ? "ascending" : state.sort === `-${id}` ? "descending" : null;
  return h("th", { scope: "col", class: kind, "aria-sort": sorted },
    h("button", {
      type: "button", id: `sort-${id}`, "data-tip": meaning || null,
      click: () => actions.choose({ sort: sorted === "ascending" ? `-${id}` : sorted === "descending" ? "" : id }),
    }, text, h("span", { "aria-hidden": true, class: "arrow" }, sorted === "ascending" ? " ↑" : sorted ? " ↓" : "")));
}

/**
 * @param {Entry} entry @param {string | null} rank null without a column of ranks @param {View} view @param {Figures[]} columns @param {boolean} several
 * @param {boolean} withLanguage @param {Actions} actions
 */
function bodyRow(entry, rank, view, columns, several, withLanguage, actions) {
  const { row, run } = entry;
  const isReference = entry === view.reference;
  const name = visible(row.name);
  return h("tr", { class: isReference ? "reference" : null, "data-row": `${run.id}:${row.id}` },
    rank !== null && h("td", { class: "rank" }, rank),
    h("th", { scope: "row", "data-format": visible(row.format_name) },
      h("button", { type: "button", class: "name", id: `open-${entry.at}-${row.id}`, click: () => actions.open(entry) }, name),
      h("span", { class: "row-tools" },
        h("button", {
          type: "button", id: `ref-${entry.at}-${row.id}`, "aria-pressed": String(isReference), "aria-label": `${name}: make it the reference`,
          "data-tip": "Make it the reference", click: () => actions.choose({ ref: isReference ? "" : refOf(entry) }),
        }, "◎"),
        h("button", { type: "button", "aria-label": `${name}: hide it`, "data-tip": "Hide it", click: () => actions.hide(entry) }, "×"))),
    several && h("td", { class: "faint" }, visible(run.id)),
    figureCell(columns[0], entry, true),
    ratioCell(entry, view),
    h("td", { class: "format" }, visible(row.format_name)),
    withLanguage && h("td", { class: "wide" }, visible(row.language_name)),
    columns.slice(1).map((figures) => figureCell(figures, entry)),
    h("td", { class: "notes" }, notesOf(entry, view)));
}

/** @param {Entry} entry @param {View} view */
function ratioCell(entry, view) {
  if (!view.reference) return h("td", { class: "figure", "data-column": "ratio" }, times(entry.best));
  const { ratio } = entry;
  const uncertain = ratio && ratio.low !== ratio.high;
  return h("td", { class: "figure", "data-column": "ratio" }, times(ratio?.value), uncertain && entry !== view.reference
    ? h("span", { class: "pm" }, `±${relative((ratio.high - ratio.low) / 2, ratio.value)}`) : null);
}

/** @param {Entry} entry @param {View} view */
function notesOf({ row, run }, view) {
  const notes = row.labels.filter((label) => !view.shared.includes(label)).map((label) => visible(label));
  if (row.few_samples) notes.push(`few samples: ${row.launches} of ${run.settings.launches} launches`);
  const text = notes.join("; ");
  return text.length > MOST_NOTE ? explained(`${text.slice(0, MOST_NOTE - 1).trimEnd()}…`, text) : text;
}

/** What the colours of the cells say. */
export function colourLegend() {
  const names = [...LEVELS.map((most) => `≤ ${most}×`), `> ${LEVELS.at(-1)}×`];
  return h("p", { class: "legend" }, "Cells by their ratio to the best in view: ",
    names.map((name, level) => h("span", { class: `swatch level${level}` }, name)));
}
