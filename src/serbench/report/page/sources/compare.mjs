// Two runs against each other, row by row: new time over old with an interval; what is undecided says so.

import { figure } from "./charts.mjs";
import { explained, h } from "./dom.mjs";
import { copy, csvOf, markdownOf } from "./share.mjs";
import { duration, relative, significant, times, visible } from "./text.mjs";
import { welchRatio } from "./statistics.mjs";
import { figuresOf, GROUP, keyOf } from "./view.mjs";
import { unique } from "./results.mjs";

/** @typedef {import("./analysis.mjs").Row} Row */
/** @typedef {import("./analysis.mjs").RunData} RunData */
/** @typedef {import("./statistics.mjs").Interval} Interval */
/** @typedef {"faster" | "slower" | "undecided"} Verdict */
/** @typedef {{was: Row, is: Row, ratio: Interval | null, verdict: Verdict, raw: boolean}} Pair */

const MOST = 40;

/** What an interval of new over old proves. @param {Interval | null} ratio @param {number} threshold @returns {Verdict} */
export function verdictOf(ratio, threshold) {
  if (ratio && ratio.high < 1 / (1 + threshold)) return "faster";
  if (ratio && ratio.low > 1 + threshold) return "slower";
  return "undecided";
}

/** The rows that both runs measured in a group. @param {RunData} was @param {RunData} is @param {import("./state.mjs").State} state @returns {{pairs: Pair[], onlyOld: Row[], onlyNew: Row[]}} */
export function pairsOf(was, is, state) {
  const rows = (/** @type {RunData} */ run) => new Map(run.rows
    .filter((row) => row.role === "contender" && GROUP.every((name) => row[name] === state[name])).map((row) => [keyOf(row), row]));
  const [before, after] = [rows(was), rows(is)];
  const threshold = Math.max(was.settings.threshold, is.settings.threshold);
  const pairs = [...after].flatMap(([key, row]) => {
    const old = before.get(key);
    if (!old || row.raw_ns === null || old.raw_ns === null) return [];
    const [x, y] = [figuresOf(row, is), figuresOf(old, was)];
    const positive = (/** @type {Map<number, number>} */ net) => net.size > 0 && [...net.values()].every((ns) => ns > 0);
    const raw = !positive(x.net) || !positive(y.net);
    const ratio = raw ? welchRatio([...x.raw.values()], [...y.raw.values()]) : welchRatio([...x.net.values()], [...y.net.values()]);
    return [{ was: old, is: row, ratio, verdict: verdictOf(ratio, threshold), raw }];
  });
  pairs.sort((a, b) => (a.ratio?.value ?? Infinity) - (b.ratio?.value ?? Infinity));
  const paired = new Set(pairs.map(({ is: row }) => keyOf(row)));
  const left = (/** @type {Map<string, Row>} */ side) => [...side].filter(([key]) => !paired.has(key)).map(([, row]) => row);
  return { pairs, onlyOld: left(before), onlyNew: left(after) };
}

/** @param {import("./results.mjs").Context} context @returns {Node[]} */
export function compareOf({ runs, state, choices, actions }) {
  if (runs.length < 2) {
    return [h("p", {}, "Add a second run file to see it beside this one, old against new: drop it anywhere on this page. Nothing leaves the browser.")];
  }
  const find = (/** @type {string} */ id, /** @type {number} */ otherwise) => runs.find((run) => run.id === id) ?? runs[otherwise];
  const [was, is] = [find(state.old, 0), find(state.new, 1)];
  const { pairs, onlyOld, onlyNew } = pairsOf(was, is, state);
  const options = (/** @type {string} */ name, /** @type {string[]} */ values, /** @type {string} */ chosen) =>
    h("label", { class: "choice" }, h("span", {}, name), h("select", { id: `choose-${name}`, change: (/** @type {any} */ e) => actions.choose({ [name]: e.target.value }) },
      values.map((value) => h("option", { value, selected: value === chosen }, visible(value)))));
  const counts = (/** @type {Verdict} */ verdict) => pairs.filter((pair) => pair.verdict === verdict).length;
  const machines = was.machine.cpu !== is.machine.cpu || was.machine.system !== is.machine.system;
  return [
    h("form", { class: "controls", "aria-label": "What is compared", submit: (/** @type {Event} */ e) => e.preventDefault() },
      options("old", runs.map(({ id }) => id), was.id), options("new", runs.map(({ id }) => id), is.id),
      GROUP.map((name) => choices[name].length > 1 ? options(name, choices[name], state[name]) : null)),
    machines ? h("p", { class: "bad" }, "The two runs were made on different machines or systems: the ratios are of the machines as much as of the libraries.") : null,
    h("p", { class: "caption" }, `${counts("faster")} faster, ${counts("slower")} slower, ${counts("undecided")} undecided. `,
      h("span", { class: "faint" }, "Net times, new over old, with Welch's 95 % interval of the logarithms over launches; decided is what is clear of 1 by more than the threshold of the runs.")),
    pairs.length ? figure({
      name: "improvement", title: `New over old: ${state.test}, ${visible(state.dataset)}`, signals: { title: "new time / old time" },
      rows: unique(pairs.filter(({ ratio }) => ratio).slice(0, MOST).map(({ is: row, ratio, verdict }) => ({
        label: visible(row.name), value: ratio?.value, low: finite(ratio?.low), high: finite(ratio?.high), verdict, text: ratioText(ratio), brief: times(ratio?.value),
        tip: `${visible(row.name)}: ${ratioText(ratio)}, ${verdict}`,
      }))),
      says: `Left of 1 the new run is faster.${pairs.length > MOST ? ` The first ${MOST} of ${pairs.length}.` : ""}`,
    }) : h("p", {}, "No row was measured in both."),
    pairs.length ? table(pairs) : null,
    only("Only in the old run, or without a time in the new one", onlyOld), only("Only in the new run, or without a time in the old one", onlyNew),
  ].filter((part) => part !== null);
}

/** @param {number | undefined} bound */
function finite(bound) {
  return bound !== undefined && Number.isFinite(bound) && bound > 0 ? bound : null;
}

/** @param {Interval | null} ratio */
function ratioText(ratio) {
  return ratio ? `${times(ratio.value)} ±${relative((ratio.high - ratio.low) / 2, ratio.value)}` : "no ratio";
}

/** @param {Pair[]} pairs */
function table(pairs) {
  const time = (/** @type {Pair} */ { raw }, /** @type {Row} */ row) => (raw ? `(${duration(row.raw_ns, 4)})` : duration(row.net_ns, 4));
  const content = () => ({
    headers: ["contender", "old ns", "new ns", "new / old", "low", "high", "verdict"],
    rows: pairs.map(({ was, is, ratio, verdict, raw }) => [is.name, raw ? was.raw_ns : was.net_ns, raw ? is.raw_ns : is.net_ns, ratio?.value ?? null, ratio?.low ?? null, ratio?.high ?? null, verdict]),
  });
  return h("section", { "aria-label": "Table" },
    h("div", { class: "figure-head" }, h("h2", {}, "Row by row"), h("span", { class: "buttons" },
      h("button", { type: "button", click: () => copy(markdownOf(content()), "the table as Markdown") }, "Copy Markdown"),
      h("button", { type: "button", click: () => copy(csvOf(content()), "the table as CSV") }, "Copy CSV"))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Old against new" }, h("table", {},
      h("thead", {}, h("tr", {}, ["contender", "format"].map((t) => h("th", { scope: "col" }, t)),
        [["old", "The net time in the old run; in brackets the raw time, where a net time is at the floor."], ["new", "The same in the new run."],
          ["new / old", "Below 1 the new one is faster."], ["95 % interval", "Where the true ratio lies, by the scatter of the launches."]].map(([t, m]) =>
          h("th", { scope: "col", class: "figure" }, explained(t, m))), h("th", { scope: "col" }, "verdict"))),
      h("tbody", {}, pairs.map((pair) => h("tr", {},
        h("th", { scope: "row" }, visible(pair.is.name)), h("td", {}, visible(pair.is.format_name)),
        h("td", { class: "figure" }, time(pair, pair.was)), h("td", { class: "figure" }, time(pair, pair.is)), h("td", { class: "figure" }, times(pair.ratio?.value)),
        h("td", { class: "figure faint" }, pair.ratio && Number.isFinite(pair.ratio.high) ? `${significant(pair.ratio.low, 3)} to ${significant(pair.ratio.high, 3)}` : "not known"),
        h("td", { class: `verdict ${pair.verdict}` }, { faster: "▲ faster", slower: "▼ slower", undecided: "– undecided" }[pair.verdict])))))));
}

/** @param {string} title @param {Row[]} rows */
function only(title, rows) {
  return rows.length ? h("p", { class: "faint" }, `${title}: ${rows.slice(0, 100).map((row) => visible(row.name)).join(", ")}${rows.length > 100 ? ` and ${rows.length - 100} more` : ""}.`) : null;
}
