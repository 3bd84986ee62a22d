// What was counted on emulated microcontrollers, or timed on a real board: JSON against MessagePack document by document,
// and all libraries side by side. The same as counted.py, pairs.py and pair_plots.py.

import { answersOf } from "./answer.mjs";
import { figure } from "./charts.mjs";
import { choice, explained, h, scrollingTable } from "./dom.mjs";
import { meaningOf } from "./metrics.mjs";
import { count, NONE, visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {Record<string, any>} Count a record of docs/results-schema.md */
/** @typedef {Record<string, any>} Platform */
/** @typedef {{json: Count, other: Count, parts: number[]}} Pair parts: how much less is deserialized, serialized, sent */
/** @typedef {{platform: Platform, group: Pair[]}} Compared */

const AXIS = "percent less than JSON";
const SERIES = ["deserialize", "serialize", "bytes"];
/** @type {Record<string, string>} */
const FORMATS = { json: "JSON", messagepack: "MessagePack", cbor: "CBOR", protobuf: "Protobuf" };
const NO_TIME = "These are counts of an emulated processor, and no times: flash caches, wait states and the pipeline of a real chip are not in them.";
const REAL_TIME = "These are microseconds of a real board: of the first call, which fills its caches, and the mean of repeated ones.";

const CHANGE = "Of MessagePack against JSON: below 0 it takes less.";

/** The platforms of a run that are no emulated Linux, whose rows stand among the results. @param {RunData} run @returns {Platform[]} */
function boardsOf(run) {
  const others = new Set(run.rows.map(({ platform }) => platform));
  return (run.platforms ?? []).filter((/** @type {Platform} */ { name }) => !others.has(name));
}

/** @param {RunData[]} runs */
export function hasPlatforms(runs) {
  return runs.some((run) => boardsOf(run).length);
}

/** @param {import("./results.mjs").Context} context @returns {Node[]} */
export function embeddedOf({ runs, asked: state, actions }) {
  const names = [...new Set(runs.flatMap(boardsOf).map(({ name }) => name))];
  const only = names.includes(state.platform) ? state.platform : "";
  const chooser = h("form", { class: "controls", "aria-label": "What is shown", submit: (/** @type {Event} */ e) => e.preventDefault() },
    choice("platform", "platform", [["", "all"], ...names.map((name) => /** @type {[string, string]} */ ([name, name]))], { ...state, platform: only }, actions));
  const sections = runs.flatMap((run) => sectionsOf(run, only, runs.length > 1));
  const answers = answersOf(runs.filter((run) => boardsOf(run).length), (row) => actions.choose({ row }));
  return [...answers, ...(names.length > 1 ? [chooser] : []), ...sections];
}

/** @param {RunData} run @param {string} only the platform that is shown; empty for all @param {boolean} several @returns {Node[]} */
function sectionsOf(run, only, several) {
  const platforms = boardsOf(run).filter(({ name }) => !only || name === only);
  if (!platforms.length) return [];
  /** @type {Map<string, Compared[]>} */
  const everywhere = new Map();
  const sections = platforms.map((platform) => {
    const counts = (run.counts ?? []).filter((/** @type {Count} */ one) => one.platform === platform.name);
    const groups = pairsOf(counts);
    for (const group of groups) {
      const key = `${group[0].json.contender_id} ${group[0].other.contender_id}`;
      everywhere.set(key, [...(everywhere.get(key) ?? []), { platform, group }]);
    }
    return platformOf(platform, counts, groups);
  });
  const title = several ? [h("h2", {}, `Run ${visible(run.id)}`)] : [];
  return [...title, ...[...everywhere.values()].filter((found) => found.length > 1).map(allOf), ...sections];
}

/** The comparisons of JSON with MessagePack: of each library with itself, or else of two. @param {Count[]} counts @returns {Pair[][]} */
function pairsOf(counts) {
  /** @type {Map<string, Map<string, Count>>} */
  const good = new Map();
  for (const one of counts) {
    if (one.status !== "ok") continue;
    const key = JSON.stringify([one.contender_id, one.format]);
    if (!good.has(key)) good.set(key, new Map());
    good.get(key)?.set(one.document, one);
  }
  const named = (/** @type {string} */ format) => [...good.keys()].map((key) => JSON.parse(key)).filter(([, of]) => of === format).map(([name]) => name);
  const [json, other] = [named("json"), named("messagepack")];
  const both = json.filter((name) => other.includes(name));
  const chosen = both.length ? both.map((name) => [name, name]) : other.filter(() => json.length).map((name) => [json[0], name]);
  return chosen.map(([first, second]) => {
    const right = good.get(JSON.stringify([second, "messagepack"]));
    return [...(good.get(JSON.stringify([first, "json"])) ?? [])].flatMap(([document, left]) => {
      const found = right?.get(document);
      return found ? [pairOf(left, found)] : [];
    });
  }).filter((group) => group.length);
}

/** @param {Count} json @param {Count} other @returns {Pair} */
function pairOf(json, other) {
  return { json, other, parts: SERIES.map((name) => 1 - (other[name] ?? 0) / (json[name] || 1)) };
}

/** @param {Pair[]} group */
function libraries([{ json, other }]) {
  return json.contender_id === other.contender_id ? `${visible(json.contender)}, MessagePack against JSON`
    : `${visible(other.contender)} (MessagePack) against ${visible(json.contender)} (JSON)`;
}

/** @param {string} label @param {string} series @param {number} part */
function bar(label, series, part) {
  const text = `${(100 * part).toFixed(1)} %`.replace("-", "−");
  return { label: visible(label), series: visible(series), value: 100 * part, text, tip: `${label}, ${series}: ${text} less` };
}

/** The same libraries on several targets. @param {Compared[]} found */
function allOf(found) {
  const what = libraries(found[0].group);
  const points = (/** @type {number} */ n) => found.flatMap(({ platform, group }) => group.map((pair) => bar(pair.json.document, platform.name, pair.parts[n])));
  const chart = (/** @type {number} */ n) => figure({
    name: "targets", title: `All targets over all documents: ${SERIES[n]}`, rows: points(n), says: `${what}.`, signals: { title: AXIS },
    change: (spec) => { spec.height = 120 + 26 * new Set(points(n).map(({ label }) => label)).size; },
  });
  const averages = found.flatMap(({ platform, group }) => SERIES.map((series, n) => bar(platform.name, series, mean(group, n))));
  return h("section", {}, h("h2", {}, `All targets: ${what}`), h("div", { class: "charts" }, chart(0), chart(1)),
    figure({ name: "gain", title: "All targets on average", rows: averages, says: `${what}; the average of each target over its documents.`, signals: { title: AXIS } }));
}

/** @param {Pair[]} group @param {number} n */
function mean(group, n) {
  return group.reduce((sum, pair) => sum + pair.parts[n], 0) / group.length;
}

/** @param {Platform} platform @param {Count[]} counts @param {Pair[][]} groups */
function platformOf(platform, counts, groups) {
  const title = h("h2", {}, `${visible(platform.name)}: ${visible(platform.title)}`);
  const stands = `Stands for: ${platform.stands_for.map(visible).join(", ")}.`;
  if (platform.kind === "board-only") return h("section", {}, title, h("p", { class: "note" }, `${stands} Board only: ${visible(platform.reason)}.`));
  const real = platform.kind === "board";
  const made = real ? `Core: ${visible(platform.core)}. ${visible(platform.compiler)}.` : `${stands} ${visible(platform.compiler)}. ${visible(platform.emulator)}.`;
  return h("section", {}, title, h("p", { class: "faint" }, `${made} ${real ? REAL_TIME : NO_TIME}`),
    groups.map((group) => comparison(group, platform)), h("h3", { class: "caption" }, "All libraries, document by document"),
    [...new Set(counts.filter(({ status }) => status !== "unavailable").map(({ document }) => document))].map((document) => documentOf(document, counts, platform)),
    absent(counts));
}

/** @param {Pair[]} group @param {Platform} platform */
function comparison(group, platform) {
  const what = libraries(group);
  const unit = platform.unit === "microseconds" ? "time" : platform.unit;
  const bars = (/** @type {number[]} */ which) => group.flatMap((pair) => which.map((n) => bar(pair.json.document, SERIES[n], pair.parts[n])));
  const change = (/** @type {number} */ part) => h("td", { class: "figure" }, `${part > 0 ? "−" : "+"}${Math.abs(100 * part).toFixed(1)} %`);
  const averages = [{ name: "all, average", chosen: group }, { name: "real-life, average", chosen: group.filter((pair) => pair.json.real_life) }];
  return h("section", {}, h("h3", {}, `JSON → MessagePack: ${what}`),
    h("div", { class: "charts" },
      figure({ name: "gain", title: `Improvement in ${visible(unit)}`, rows: bars([0, 1]), says: `${what}; ${visible(platform.unit)} of a repeated call.`, signals: { title: AXIS } }),
      figure({ name: "gain", title: "Improvement in space", rows: bars([2]), says: `${what}; bytes of the encoding.`, signals: { title: AXIS } })),
    grid(`${visible(platform.name)}, JSON against MessagePack`, ["document", ...SERIES.flatMap((name) => [name, "change"])], 1, [
      ...group.map(({ json, other, parts }) => [h("th", { scope: "row" }, visible(json.document)),
        ...SERIES.flatMap((name, n) => [h("td", { class: "figure" }, `${count(json[name])} → ${count(other[name])}`), change(parts[n])])]),
      ...averages.filter(({ chosen }) => chosen.length > 1).map(({ name, chosen }) => [h("th", { scope: "row" }, name),
        ...SERIES.flatMap((_, n) => [h("td"), change(mean(chosen, n))])]),
    ]));
}

/** What a column says. @param {string} name */
function meaningAs(name) {
  return name === "change" ? CHANGE : meaningOf(name);
}

/** @param {string} label @param {string[]} header @param {number} texts @param {HTMLElement[][]} rows */
function grid(label, header, texts, rows) {
  return scrollingTable(label, {}, header.map((name, n) => h("th", { scope: "col", class: n < texts || name === "notes" ? null : "figure" },
    meaningAs(name) ? explained(name, meaningAs(name)) : name)),
    rows.map((row) => h("tr", {}, row)));
}

/** @param {string} document @param {Count[]} counts @param {Platform} platform */
function documentOf(document, counts, platform) {
  const most = (/** @type {Count} */ one, /** @type {string} */ what) => {
    const [a, b] = [one[`deserialize_${what}`] ?? null, one[`serialize_${what}`] ?? null];
    return a === null && b === null ? null : Math.max(a ?? 0, b ?? 0);
  };
  const rows = counts.filter((one) => one.document === document && one.status !== "unavailable").map((one) => {
    const figures = one.status === "ok" ? [one.deserialize, one.deserialize_first, one.serialize, one.serialize_first, one.bytes, most(one, "stack"), most(one, "memory"), one.flash] : Array(8).fill(null);
    const notes = one.status === "ok" ? (one.labels ?? []).map(visible).join("; ") : `${one.status}: ${visible(one.reason)}`;
    return [h("th", { scope: "row" }, visible(`${one.contender} ${one.library_version ?? ""}`.trim())), h("td", {}, visible(FORMATS[one.format] ?? one.format)),
      ...figures.map((number) => h("td", { class: "figure" }, number === null || number === undefined ? NONE : count(number))), h("td", { class: "notes" }, notes)];
  });
  return h("details", {}, h("summary", {}, `${visible(document)} `, h("span", { class: "faint" }, `${visible(platform.unit)}, bytes`)),
    grid(`${visible(platform.name)}, ${visible(document)}`, ["library", "format", "deserialize", "first call", "serialize", "first call", "bytes", "stack", "memory", "flash", "notes"], 2, rows));
}

/** @param {Count[]} counts */
function absent(counts) {
  const missing = new Map(counts.filter(({ status }) => status === "unavailable").map((one) => [one.contender, one.reason]));
  return missing.size ? h("p", { class: "faint caption" }, [...missing].map(([name, reason]) => `${visible(name)} is unavailable: ${visible(reason)}.`).join(" ")) : null;
}
