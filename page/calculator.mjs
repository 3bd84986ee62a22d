// What the figures mean for one's own messages: processor and network time, and who wins at which bandwidth.

import { figure } from "./charts.mjs";
import { choice, explained, h, scrollingTable } from "./dom.mjs";
import { jsonBytes } from "./metrics.mjs";
import { count, duration, significant, visible } from "./text.mjs";
import { HERE, isTimed, keyOf, rowsOn, runsInView, settled } from "./view.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** A contender's cost of one message. @typedef {{key: string, row: Row, cpu: number, bytes: number}} Cost */

const WORKS = /** @type {[string, string, string[]][]} */ ([
  ["both", "writes and reads into a tree", ["write", "tree"]],
  ["stream", "writes and reads incrementally", ["write", "incremental"]],
  ["write", "writes", ["write"]],
  ["tree", "reads into a tree", ["tree"]],
  ["incremental", "reads incrementally", ["incremental"]],
]);
const MOST_LINES = 4;
const MOST_ROWS = 100;
/** Beyond this the chart says nothing any more. */
const MOST_TIMES = 4;
const POWERS = [0.1, 1, 10, 100, 1000, 10_000, 100_000];
const [LEAST_LINK, MOST_LINK] = [0.1, 100_000];

/**
 * What each contender takes for one message of `size` bytes as JSON; those that lack a time are left out.
 * @param {RunData} run @param {import("./state.mjs").State} state @param {string[]} tests @param {number | null} size null: as measured
 * @returns {Cost[]}
 */
export function costsOf(run, state, tests, size) {
  /** @type {Map<string, Map<string, Row>>} */
  const found = new Map();
  for (const row of rowsOn(run, HERE)) {
    if (row.role !== "contender" || row.net_ns === null || row.bytes === null) continue;
    if (row.dataset !== state.dataset || row.profile !== state.profile || !tests.includes(row.test)) continue;
    const key = keyOf(row);
    found.set(key, (found.get(key) ?? new Map()).set(row.test, row));
  }
  return [...found].flatMap(([key, rows]) => {
    const row = rows.get(tests[0]);
    if (!row || rows.size < tests.length) return [];
    const json = jsonBytes(row, run);
    const scale = size !== null && json ? size / json : 1;
    const ns = [...rows.values()].reduce((sum, { net_ns }) => sum + Math.max(0, net_ns), 0);
    return [{ key, row, cpu: ns * scale, bytes: row.bytes * scale }];
  });
}

/** Processor and network time of a message in ns. @param {Cost} cost @param {number} link Mbit/s */
function timeAt(cost, link) {
  return cost.cpu + networkNs(cost.bytes, link);
}

/** Network time of some bytes in ns. @param {number} bytes @param {number} link Mbit/s */
export function networkNs(bytes, link) {
  return (bytes * 8000) / link;
}

/**
 * Who needs the least time for a message, by bandwidth, from the fastest network to the slowest: each wins from
 * `above` Mbit/s on, up to where the one before it begins.
 * @param {Cost[]} costs @returns {{cost: Cost, above: number}[]}
 */
export function winners(costs) {
  const made = [];
  let current = costs.reduce((a, b) => (b.cpu < a.cpu || (b.cpu === a.cpu && b.bytes < a.bytes) ? b : a), costs[0]);
  while (current) {
    const { cpu, bytes } = current;
    // The next to win, as the network gets slower, is whose line is met first: at this bandwidth.
    let next = null;
    let above = 0;
    for (const other of costs) {
      if (other.bytes >= bytes) continue;
      const link = other.cpu > cpu ? (8000 * (bytes - other.bytes)) / (other.cpu - cpu) : Infinity;
      if (link > above || (link === above && next && other.bytes < next.bytes)) [next, above] = [other, link];
    }
    made.push({ cost: current, above });
    if (!next) break;
    current = next;
  }
  return made;
}

/** @param {string} text @param {number | null} otherwise */
function positive(text, otherwise) {
  const number = Number(text);
  return text.trim() && Number.isFinite(number) && number > 0 ? number : otherwise;
}

/** @param {number} link Mbit/s */
function bandwidth(link) {
  return link >= 1000 ? `${significant(link / 1000, 2)} Gbit/s` : link >= 1 ? `${significant(link, 2)} Mbit/s` : `${significant(link * 1000, 2)} kbit/s`;
}

/** @param {import("./results.mjs").Context} context @returns {Node[]} */
export function calculatorOf({ runs, state: chosen, actions }) {
  const timed = runs.filter(isTimed);
  if (!timed.length) return [h("p", {}, "There is nothing to calculate with.")];
  const asked = { ...chosen, platform: HERE, run: chosen.run === "all" ? "" : chosen.run };
  const { state, choices } = settled(timed, asked);
  const { run } = runsInView(timed, state)[0];
  const tests = new Set(rowsOn(run, HERE).filter((row) => row.dataset === state.dataset && row.profile === state.profile).map((row) => row.test));
  const works = WORKS.filter(([, , needed]) => needed.every((test) => tests.has(test)));
  const work = works.find(([id]) => id === state.does) ?? works[0];
  if (!work) return [h("p", {}, "There is nothing to calculate with.")];
  const any = rowsOn(run, HERE).find((row) => row.dataset === state.dataset);
  const own = any ? jsonBytes(any, run) : null;
  const [size, rate, link] = [positive(state.size, null), positive(state.rate, 1000), positive(state.link, 100)];
  const costs = costsOf(run, state, work[2], size);
  costs.sort((a, b) => timeAt(a, link ?? 1) - timeAt(b, link ?? 1));
  const field = (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ placeholder) => h("label", { class: "choice" }, h("span", {}, text),
    h("input", { type: "number", min: 0, step: "any", id: `choose-${name}`, value: state[name], placeholder, change: (/** @type {any} */ e) => actions.choose({ [name]: e.target.value }) }));
  const select = (/** @type {string} */ name, /** @type {string} */ text, /** @type {[string, string][]} */ options) =>
    choice(name, text, options, { ...state, does: work[0], run: run.id }, actions);
  return [
    h("form", { class: "controls", "aria-label": "Your messages", submit: (/** @type {Event} */ e) => e.preventDefault() },
      timed.length > 1 ? select("run", "run", timed.map(({ id }) => [id, id])) : null,
      choices.dataset.length > 1 ? select("dataset", "data like", choices.dataset.map((v) => [v, v])) : null,
      choices.profile.length > 1 ? select("profile", "profile", choices.profile.map((v) => [v, v])) : null,
      select("does", "my program", works.map(([id, shown]) => [id, shown])),
      own ? field("size", "bytes of a message as JSON", significant(own).replaceAll(",", "")) : null,
      field("rate", "messages per second", "1000"), field("link", "bandwidth, Mbit/s", "100")),
    h("p", { class: "caption faint" }, `From the net times and sizes on ${visible(state.dataset)}${size !== null && own ? `, scaled by ${significant(size / own, 3)} in proportion to the size` : ""}. `,
      "An estimate: it takes time and size to grow in proportion, one processor, and a network without latency."),
    costs.length ? h("div", { class: "charts" }, chartOf(costs, link ?? 100), winnersOf(costs)) : h("p", {}, "No contender has all the times that this needs."),
    costs.length ? tableOf(costs, rate ?? 1000, link ?? 100) : null,
    leftOut(run, state, work[2], costs),
  ].filter((part) => part !== null);
}

/** @param {Cost} cost */
function named({ row }) {
  return visible(`${row.name} (${row.format_name})`);
}

/** @param {Cost[]} costs @param {number} link */
function chartOf(costs, link) {
  const kept = winners(costs).map(({ cost }) => cost);
  const shown = [...kept, ...costs.filter((cost) => !kept.includes(cost))].slice(0, MOST_LINES);
  const [from, to] = [Math.max(LEAST_LINK, Math.min(1, link / 10)), Math.min(MOST_LINK, Math.max(10_000, link * 10))];
  const steps = 40;
  return figure({
    name: "bandwidth", title: "Time of a message by bandwidth", signals: { link },
    rows: shown.flatMap((cost) => Array.from({ length: steps + 1 }, (_, n) => {
      const at = from * (to / from) ** (n / steps);
      return { label: named(cost), link: at, times: timeAt(cost, at) / Math.min(...kept.map((other) => timeAt(other, at))) };
    })),
    change: (spec) => {
      spec.scales[1].domain = [1, Math.min(MOST_TIMES, Math.max(1.1, ...shown.map((cost) => timeAt(cost, to) / timeAt(kept[0], to)), ...shown.map((cost) => timeAt(cost, from) / timeAt(kept[kept.length - 1], from))))];
      spec.axes[0].values = POWERS.filter((value) => value >= from && value <= to);
    },
    says: "Processor and network one after the other, as a multiple of the best: who is at 1 wins. On the left the size of the encoding decides, on the right the library's time. The dotted line is your bandwidth.",
  });
}

/** @param {Cost[]} costs */
function winnersOf(costs) {
  const made = winners(costs);
  return h("section", { class: "winners" }, h("h3", {}, "Which one wins where"),
    h("ul", {}, made.map(({ cost, above }, n) => {
      const below = n ? made[n - 1].above : Infinity;
      const range = made.length === 1 ? "at any bandwidth" : n === 0 ? `above ${bandwidth(above)}` : above === 0 ? `below ${bandwidth(below)}` : `${bandwidth(above)} to ${bandwidth(below)}`;
      return h("li", {}, h("strong", {}, named(cost)), ` ${range}`, h("span", { class: "faint" }, `: ${duration(cost.cpu)} of processor, ${count(Math.round(cost.bytes))} bytes`));
    })));
}

/** What the table has not, in words. @param {RunData} run @param {import("./state.mjs").State} state @param {string[]} tests @param {Cost[]} costs */
function leftOut(run, state, tests, costs) {
  const all = new Set(rowsOn(run, HERE).filter((row) => row.role === "contender" && row.dataset === state.dataset && row.profile === state.profile && tests.includes(row.test)).map(keyOf));
  const said = [
    costs.length > MOST_ROWS ? `${costs.length - MOST_ROWS} slower ones are not shown` : "",
    all.size > costs.length ? `${all.size - costs.length} without ${tests.length > 1 ? "both times" : "a time"} are not here; Results has them` : "",
  ].filter(Boolean).join("; ");
  return said ? h("p", { class: "faint caption" }, `${said}.`) : null;
}

/** @param {Cost[]} costs @param {number} rate @param {number} link */
function tableOf(costs, rate, link) {
  const share = (/** @type {number} */ part) => h("td", { class: `figure${part > 1 ? " bad" : ""}` }, `${significant(100 * part, 3)} %`);
  const heads = /** @type {[string, string][]} */ ([["processor", "Net time of a message."], ["network", "Bytes of the encoding over the bandwidth."], ["together", "One after the other."],
    ["of a core", "The processor's time for so many messages a second; above 100 % one core is not enough."], ["of the link", "The network's share; above 100 % it does not fit."]]);
  return scrollingTable("Time per message", { id: "costs" },
    [h("th", { scope: "col" }, "contender"), h("th", { scope: "col", class: "format" }, "format"), h("th", { scope: "col", class: "figure" }, "bytes"),
      ...heads.map(([text, meaning]) => h("th", { scope: "col", class: "figure" }, explained(text, meaning)))],
    costs.slice(0, MOST_ROWS).map((cost) => h("tr", {},
      h("th", { scope: "row", "data-format": visible(cost.row.format_name) }, visible(cost.row.name)), h("td", { class: "format" }, visible(cost.row.format_name)), h("td", { class: "figure" }, count(Math.round(cost.bytes))),
      h("td", { class: "figure" }, duration(cost.cpu)), h("td", { class: "figure" }, duration(networkNs(cost.bytes, link))), h("td", { class: "figure" }, duration(timeAt(cost, link))),
      share((cost.cpu * rate) / 1e9), share((networkNs(cost.bytes, link) * rate) / 1e9))));
}
