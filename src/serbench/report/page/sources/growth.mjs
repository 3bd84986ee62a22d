// Times over payload size, and their ratios to JSON's: as src/serbench/report/growth.py makes them.

import { figure } from "./charts.mjs";
import { h } from "./dom.mjs";
import { LEAST_LAUNCHES, pairedRatio } from "./statistics.mjs";
import { duration, NONE, significant, unitFor, visible } from "./text.mjs";

/** @typedef {import("./analysis.mjs").Row} Row */
/** @typedef {import("./analysis.mjs").RunData} RunData */
/** @typedef {{value: number, low: number | null, high: number | null}} Value */
/** Its times are raw where one of the two has no net time that is clear of 0. @typedef {Value & {isRaw: boolean}} Ratio */
/** @typedef {{megabytes: number, time: Value | null, ratio: Ratio | null}} Point */
/** @typedef {{name: string, origin: string, format: string, shape: string, isReference: boolean, points: Point[]}} Curve */
/** @typedef {{title: string, sizes: number[], curves: Curve[]}} Chapter */
/** @typedef {{name: string, curves: Curve[]}} Selection */

const REFERENCE = "javascript/json";
const WORDS = /** @type {Record<string, string>} */ ({ write: "encode", tree: "decode" });
const NAME = /^(records(?:-distinct)?):([0-9.]+)(?::([a-z]+))?$/;
const [MOST_CURVES, LEAST_OF_FORMAT, MARGIN, TINY] = [24, 3, 1.25, 1e-9];
const [HEIGHT, LEGEND_LINE] = [340, 19];
const RAW = "*";

/** Net or raw time by launch. @param {Row} row @param {RunData} run @param {boolean} net */
function byLaunch(row, run, net) {
  const baseline = net ? run.rows.find(({ id }) => id === row.baseline) : undefined;
  const less = new Map(/** @type {[number, number][]} */ (baseline?.figures ?? []));
  return new Map(/** @type {[number, number][]} */ (row.figures).flatMap(([launch, ns]) =>
    net && !less.has(launch) ? [] : [[launch, ns - (less.get(launch) ?? 0)]]));
}

/** @param {Map<number, number>} figures @param {Row} row */
function hasNet(figures, row) {
  return figures.size >= LEAST_LAUNCHES && !row.at_floor && [...figures.values()].every((ns) => ns > 0);
}

/** @param {Row} a @param {Row} b @param {RunData} run @returns {Ratio | null} */
function ratioOf(a, b, run) {
  const nets = [byLaunch(a, run, true), byLaunch(b, run, true)];
  const both = hasNet(nets[0], a) && hasNet(nets[1], b);
  const [x, y] = both ? nets : [byLaunch(a, run, false), byLaunch(b, run, false)];
  const found = pairedRatio(x, y);
  return found && Number.isFinite(found.low) ? { ...found, isRaw: !both } : null;
}

/** The curves of a run: a chapter for each test and kind of records that has two sizes or more. @param {RunData} run @returns {Chapter[]} */
export function chaptersOf(run) {
  /** @type {Map<string, {row: Row, megabytes: number, shape: string}[]>} */
  const found = new Map();
  for (const row of run.rows) {
    const [, base, size, shape = ""] = NAME.exec(row.dataset) ?? [];
    if (!base || row.role !== "contender" || !(Number(size) > 0)) continue;
    const title = [WORDS[row.test] ?? row.test, base, ...(row.profile === "speed" ? [] : [row.profile])].join(" · ");
    found.set(title, [...(found.get(title) ?? []), { row, megabytes: Number(size), shape }]);
  }
  return [...found].flatMap(([title, places]) => {
    const sizes = [...new Set(places.map(({ megabytes }) => megabytes))].sort((a, b) => a - b);
    return sizes.length < 2 ? [] : [{ title, sizes, curves: curvesOf(places, run) }];
  });
}

/** @param {{row: Row, megabytes: number, shape: string}[]} places @param {RunData} run @returns {Curve[]} */
function curvesOf(places, run) {
  const references = new Map(places.filter(({ row }) => isReference(row) && row.figures.length).map(({ row, megabytes, shape }) => [`${megabytes} ${shape}`, row]));
  /** @type {Map<string, Curve>} */
  const curves = new Map();
  for (const { row, megabytes, shape } of places) {
    const reference = references.get(`${megabytes} `) ?? references.get(`${megabytes} ${shape}`);
    const name = shape && !row.name.includes(shape) ? `${row.name} ${shape}` : row.name;
    /** @type {Curve} */
    const curve = curves.get(`${row.row} ${shape}`) ?? { name, origin: row.origin, format: row.format_name, shape, isReference: isReference(row) && !shape, points: [] };
    curves.set(`${row.row} ${shape}`, curve);
    const hasTime = row.net_ns > 0;
    curve.points.push({ megabytes, time: hasTime ? { value: row.net_ns, low: row.net_low_ns, high: row.net_high_ns } : null, ratio: reference && row.figures.length ? ratioOf(row, reference, run) : null });
  }
  const middle = (/** @type {Curve} */ { points }) => {
    const ratios = points.flatMap(({ ratio }) => (ratio ? [ratio.value] : []));
    return ratios[ratios.length >> 1] ?? Infinity;
  };
  for (const { points } of curves.values()) points.sort((a, b) => a.megabytes - b.megabytes);
  return [...curves.values()].filter(({ points }) => points.some(({ time, ratio }) => time ?? ratio))
    .sort((a, b) => Number(b.isReference) - Number(a.isReference) || middle(a) - middle(b));
}

/** @param {Row} row */
function isReference(row) {
  return row.contender_id === REFERENCE && !row.variant;
}

/** The curves that are drawn together: all on maps; each format of which there are several; the settings of a library. @param {Chapter} chapter @returns {Selection[]} */
export function selectionsOf({ curves }) {
  const maps = curves.filter(({ shape }) => !shape);
  const found = [{ name: "all libraries", curves: maps.length ? maps : curves }];
  const reference = maps.filter((curve) => curve.isReference);
  for (const format of new Set(maps.map((curve) => curve.format))) {
    const ofFormat = maps.filter((curve) => curve.format === format && !curve.isReference);
    if (ofFormat.length >= LEAST_OF_FORMAT && ofFormat.length < maps.length - reference.length) found.push({ name: visible(format), curves: [...reference, ...ofFormat] });
  }
  const several = curves.filter(({ origin }) => new Set(curves.filter((other) => other.origin === origin).map(({ shape }) => shape)).size > 1);
  return several.length ? [...found, { name: "maps and arrays", curves: several }] : found;
}

/** The view of all runs that have grown. @param {{runs: RunData[]}} context @returns {Node[]} */
export function growthOf({ runs }) {
  return runs.flatMap((run) => chaptersOf(run).flatMap((chapter) => chapterOf(chapter, runs.length > 1 ? `${visible(run.id)}: ` : "")));
}

/** Whether there is anything to show. @param {RunData[]} runs */
export function hasGrown(runs) {
  return runs.some((run) => chaptersOf(run).length > 0);
}

/** @param {Chapter} chapter @param {string} before @returns {Node[]} */
function chapterOf(chapter, before) {
  const title = `${before}${visible(chapter.title)}`;
  return [h("section", {}, h("h2", {}, title),
    h("p", { class: "faint" }, "Ratios to the time of JSON in the same launches, with 95 % intervals: below 1 is faster. JSON's own line has its time. The columns are megabytes as JSON. Times are net of the baseline's.",
      hasRaw(chapter) ? ` ${RAW} marks ratios of raw times, with nothing subtracted: one of the two has no net time above 0 in every launch, or one whose interval reaches 0.` : ""),
    tableOf(chapter, title),
    h("div", { class: "charts" }, selectionsOf(chapter).flatMap(({ name, curves }) => [chartOf(`${title} · ${name}`, curves, "ratio"), chartOf(`${title} · ${name}`, curves, "time")])))];
}

/** Whether any ratio to JSON is of raw times. @param {Chapter} chapter */
function hasRaw({ curves }) {
  return curves.some(({ isReference, points }) => !isReference && points.some(({ ratio }) => ratio?.isRaw));
}

/** @param {Chapter} chapter @param {string} title */
function tableOf({ sizes, curves }, title) {
  const cell = (/** @type {Curve} */ curve, /** @type {Point | undefined} */ point) => {
    if (curve.isReference) return point?.time ? duration(point.time.value) : NONE;
    return point?.ratio ? `${significant(point.ratio.value, 3)}${point.ratio.isRaw ? RAW : ""}` : NONE;
  };
  const tip = (/** @type {Point | undefined} */ point) => (point?.ratio?.low && point.ratio.high ? `${significant(point.ratio.low, 3)} to ${significant(point.ratio.high, 3)} times JSON` : null);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", { class: "growth" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "MB"), sizes.map((size) => h("th", { scope: "col", class: "figure" }, String(size))))),
    h("tbody", {}, curves.map((curve) => h("tr", {}, h("th", { scope: "row" }, visible(curve.name)), sizes.map((size) => {
      const point = curve.points.find(({ megabytes }) => megabytes === size);
      return h("td", { class: "figure", "data-tip": curve.isReference ? null : tip(point) }, cell(curve, point));
    }))))));
}

/** @param {string} about @param {Curve[]} curves @param {"time" | "ratio"} kind */
function chartOf(about, curves, kind) {
  const shown = curves.slice(0, MOST_CURVES);
  const [unit, scale] = kind === "time" ? unitFor(shown.flatMap(({ points }) => points.map(({ time }) => time?.value ?? null))) : ["", 1];
  const rows = shown.flatMap((curve) => curve.points.flatMap((point) => {
    const value = point[kind];
    if (!value || !(value.value > 0)) return [];
    const bound = (/** @type {number | null} */ ns) => (ns === null || !Number.isFinite(ns) ? null : Math.max(ns / scale, TINY));
    const label = visible(curve.name);
    return [{ label, megabytes: point.megabytes, value: value.value / scale, low: bound(value.low), high: bound(value.high),
      tip: `${label}, ${point.megabytes} MB: ${significant(value.value / scale, 3)}${unit ? ` ${unit}` : "×"}` }];
  }));
  const values = rows.map(({ value }) => value);
  const title = kind === "time" ? `Time, ${unit}` : "Time as a ratio to JSON's";
  return figure({
    name: "growth", title: `${about} · ${kind}`, rows,
    says: `${title}, by the size of the payload; bands are 95 % intervals.`,
    change: (spec) => {
      const columns = spec.signals.find((/** @type {any} */ { name }) => name === "columns").value;
      spec.height = HEIGHT + LEGEND_LINE * Math.ceil(shown.length / columns);
    },
    signals: { title, least: Math.min(...values) / MARGIN, most: Math.max(...values) * MARGIN, level: kind === "ratio" ? 1 : 0 },
  });
}
