// Two runs against each other, row by row: new time over old with an interval; what is undecided says so.

import { figure } from "./charts.mjs";
import { choice, explained, h, scrollingTable } from "./dom.mjs";
import { copy, csvOf, markdownOf } from "./share.mjs";
import { duration, percent, relative, significant, times, visible } from "./text.mjs";
import { compareRuns } from "./comparison.mjs";
import { namesIn, unique } from "./naming.mjs";
import { GROUP, groupsAmong, HERE, isTimed, keyOf, narrowed, rowsIn } from "./view.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./comparison.mjs").Pair} Pair */
/** @typedef {import("./statistics.mjs").Interval} Interval */

const MOST = 40;
/** As `serbench compare` has it. */
const THRESHOLD = 0.03;
const MARKS = { faster: "▲ faster", slower: "▼ slower", "no difference": "= no difference", undecided: "? undecided" };

/** The contenders' names of a group in only one of two runs. @param {RunData} run @param {RunData} other @param {import("./state.mjs").State} state */
function alone(run, other, state) {
  const inGroup = (/** @type {RunData} */ of) => rowsIn(of, state).filter((row) => row.role === "contender");
  const known = new Set(inGroup(other).map(keyOf));
  return inGroup(run).filter((row) => !known.has(keyOf(row)));
}

/** @param {import("./results.mjs").Context} context @returns {Node[]} */
export function compareOf({ runs, state: asked, actions }) {
  if (runs.length < 2) {
    return [h("p", {}, "Add a second run file to see it beside this one, old against new: drop it anywhere on this page. Nothing leaves the browser.")];
  }
  const find = (/** @type {string} */ id, /** @type {number} */ otherwise) => runs.find((run) => run.id === id) ?? runs[otherwise];
  const [was, is] = [find(asked.old, 0), find(asked.new, 1)];
  const all = compareRuns(was, is, THRESHOLD);
  const groups = groupsAmong(all.map((pair) => pair.is));
  const { state, choices } = narrowed(groups, { ...asked, platform: HERE });
  const inGroup = new Set(rowsIn(is, state));
  const pairs = all.filter(({ is: row }) => inGroup.has(row))
    .sort((a, b) => (a.ratio?.value ?? Infinity) - (b.ratio?.value ?? Infinity));
  const drawn = pairs.filter(({ ratio }) => ratio);
  const names = namesIn(drawn.map((pair) => pair.is));
  const reasons = [...new Set(pairs.map(({ reason, ratio }) => (ratio ? reason : "")).filter(Boolean))];
  const options = (/** @type {string} */ name, /** @type {string[]} */ values, /** @type {string} */ chosen) =>
    choice(name, name, values.map((value) => [value, value]), { [name]: chosen }, actions);
  const controls = pairs.filter(({ control }) => control).length;
  const count = (/** @type {string} */ verdict) => `${pairs.filter((pair) => pair.verdict === verdict && !pair.control).length} ${verdict}`;
  return [
    h("form", { class: "controls", "aria-label": "What is compared", submit: (/** @type {Event} */ e) => e.preventDefault() },
      options("old", runs.map(({ id }) => id), was.id), options("new", runs.map(({ id }) => id), is.id),
      GROUP.map((name) => choices[name].length > 1 ? options(name, choices[name], state[name]) : null)),
    h("p", { class: "caption" }, `${Object.keys(MARKS).map(count).join(", ")}${controls ? `; ${controls} unchanged, by which the others are judged` : ""}. `,
      h("span", { class: "faint" }, `New time over old, with Welch's 95 % interval of the logarithms over launches. A verdict needs a difference of more than ${percent(THRESHOLD)}, `
        + "proved against all rows of the two runs together (Holm), and unchanged programs that took the same time in both.")),
    reasons.map((reason) => h("p", { class: "bad" }, `No verdict: ${visible(reason)}.`)),
    drawn.length ? figure({
      name: "improvement", title: `New over old: ${state.test}, ${visible(state.dataset)}`, signals: { title: "new time / old time" },
      rows: unique(drawn.slice(0, MOST).map(({ ratio, verdict }, n) => ({
        label: names[n], value: ratio?.value, low: finite(ratio?.low), high: finite(ratio?.high), verdict, text: ratioText(ratio), brief: times(ratio?.value),
        tip: `${names[n]}: ${ratioText(ratio)}, ${verdict}`,
      }))),
      says: `Left of 1 the new run is faster.${drawn.length > MOST ? ` The first ${MOST} of ${drawn.length}.` : ""}`,
    }) : h("p", {}, pairs.length ? "No row has a ratio." : "No row is in both."),
    [was, is].some((run) => !isTimed(run)) ? h("p", {}, "What was counted on an emulated platform has no time to compare. Under Results several runs stand side by side.") : null,
    pairs.length ? table(pairs) : null,
    only("Only in the old run", alone(was, is, state)), only("Only in the new run", alone(is, was, state)),
  ].flat().filter((part) => part !== null);
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
  const time = (/** @type {Pair} */ { basis }, /** @type {Row} */ row) => (basis === "raw" ? `(${duration(row.raw_ns, 4)})` : duration(row.net_ns, 4));
  const content = () => ({
    headers: ["contender", "old ns", "new ns", "new / old", "low", "high", "verdict"],
    rows: pairs.map(({ was, is, ratio, verdict, basis }) => [is.name, basis === "raw" ? was.raw_ns : was.net_ns, basis === "raw" ? is.raw_ns : is.net_ns, ratio?.value ?? null, ratio?.low ?? null, ratio?.high ?? null, verdict]),
  });
  return h("section", { "aria-label": "Table" },
    h("div", { class: "figure-head" }, h("h2", {}, "Row by row"), h("span", { class: "buttons" },
      h("button", { type: "button", click: () => copy(markdownOf(content()), "the table as Markdown") }, "Copy Markdown"),
      h("button", { type: "button", click: () => copy(csvOf(content()), "the table as CSV") }, "Copy CSV"))),
    scrollingTable("Old against new", {}, [...["contender", "format"].map((t) => h("th", { scope: "col" }, t)),
        ...[["old", "The net time in the old run; in brackets the raw time, where the interval of a net time reaches 0."], ["new", "The same in the new run."],
          ["new / old", "Below 1 the new one is faster."], ["95 % interval", "Where the true ratio lies, by the scatter of the launches."]].map(([t, m]) =>
          h("th", { scope: "col", class: "figure" }, explained(t, m))), h("th", { scope: "col" }, "verdict")],
      pairs.map((pair) => h("tr", {},
        h("th", { scope: "row" }, visible(pair.is.name)), h("td", {}, visible(pair.is.format_name)),
        h("td", { class: "figure" }, time(pair, pair.was)), h("td", { class: "figure" }, time(pair, pair.is)), h("td", { class: "figure" }, times(pair.ratio?.value)),
        h("td", { class: "figure faint" }, pair.ratio && Number.isFinite(pair.ratio.high) ? `${significant(pair.ratio.low, 3)} to ${significant(pair.ratio.high, 3)}` : "not known"),
        h("td", { class: `verdict ${pair.verdict.replace(" ", "-")}` }, pair.control ? "the same program" : MARKS[pair.verdict],
          pair.ratio ? null : h("span", { class: "faint" }, ` ${reasonOf(pair)}`))))));
}

/** Why a pair has no ratio; once, where it is the same of both. @param {Pair} pair */
function reasonOf({ was, is, reason }) {
  const same = was.status !== "ok" && was.status === is.status && was.reason === is.reason;
  return visible(same ? `both: ${[is.status, is.reason].filter(Boolean).join(": ")}` : reason);
}

/** @param {string} title @param {Row[]} rows */
function only(title, rows) {
  return rows.length ? h("p", { class: "faint caption" }, `${title}: ${rows.slice(0, 100).map((row) => visible(row.name)).join(", ")}${rows.length > 100 ? ` and ${rows.length - 100} more` : ""}.`) : null;
}
