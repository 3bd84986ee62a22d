// The tables and charts of what the sizes of the payload change.

import { figure } from "../../../../../page/charts.mjs";
import { curveTablesOf, selectionsOf } from "./curves.mjs";
import { h, scrollingTable } from "../../../../../page/dom.mjs";
import { duration, NONE, significant, unitFor, visible } from "../../../../../page/text.mjs";

/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */
/** @typedef {import("./curves.mjs").CurveTable} CurveTable */
/** @typedef {import("./curves.mjs").Curve} Curve */
/** @typedef {import("./curves.mjs").Point} Point */

const [MOST_CURVES, MARGIN, TINY] = [24, 1.25, 1e-9];
const [HEIGHT, LEGEND_LINE] = [340, 19];
const RAW = "*";

/** The view of all runs that have grown. @param {{runs: RunData[]}} context @returns {Node[]} */
export function growthOf({ runs }) {
  return runs.flatMap((run) => curveTablesOf(run).flatMap((table) => sectionOf(table, runs.length > 1 ? `${visible(run.id)}: ` : "")));
}

/** Whether there is anything to show. @param {RunData[]} runs */
export function hasGrown(runs) {
  return runs.some((run) => curveTablesOf(run).length > 0);
}

/** @param {CurveTable} table @param {string} before @returns {Node[]} */
function sectionOf(table, before) {
  const title = `${before}${visible(table.title)}`;
  return [h("section", {}, h("h2", {}, title),
    h("p", { class: "faint" }, "Ratios to the time of JSON in the same launches, with 95 % intervals: below 1 is faster. JSON's own line has its time. The columns are megabytes as JSON. Times are net of what the harness does.",
      hasRaw(table) ? ` ${RAW} marks ratios of raw times, with nothing subtracted: one of the two has no net time above 0 in every launch, or one whose interval reaches 0.` : ""),
    tableOf(table, title),
    remarks("Notes", table.notes), remarks("Without figures", table.without),
    // A single size is no curve.
    h("div", { class: "charts" }, table.sizes.length < 2 ? [] : selectionsOf(table).flatMap(({ name, curves }) => [chartOf(`${title} · ${name}`, curves, "ratio"), chartOf(`${title} · ${name}`, curves, "time")])))];
}

/** Whether any ratio to JSON is of raw times. @param {CurveTable} table */
function hasRaw({ curves }) {
  return curves.some(({ isReference, points }) => !isReference && points.some(({ ratio }) => ratio?.isRaw));
}

/** @param {string} title @param {import("./curves.mjs").Remarks} found */
function remarks(title, found) {
  return found.length ? h("section", { class: "remarks" }, h("h3", {}, title),
    h("ul", {}, found.map(([what, said]) => h("li", {}, h("strong", {}, visible(what)), `: ${visible(said)}`)))) : null;
}

/** @param {CurveTable} table @param {string} title */
function tableOf({ sizes, curves }, title) {
  const cell = (/** @type {Curve} */ curve, /** @type {Point | undefined} */ point) => {
    if (curve.isReference) return point?.time ? duration(point.time.value) : NONE;
    return point?.ratio ? `${significant(point.ratio.value, 3)}${point.ratio.isRaw ? RAW : ""}` : NONE;
  };
  const tip = (/** @type {Point | undefined} */ point) => (point?.ratio?.low && point.ratio.high ? `${significant(point.ratio.low, 3)} to ${significant(point.ratio.high, 3)} times JSON` : null);
  return scrollingTable(title, { class: "growth" }, [h("th", { scope: "col" }, "MB"), ...sizes.map((size) => h("th", { scope: "col", class: "figure" }, String(size)))],
    curves.map((curve) => h("tr", {}, h("th", { scope: "row" }, visible(curve.name)), sizes.map((size) => {
      const point = curve.points.find(({ megabytes }) => megabytes === size);
      return h("td", { class: "figure", "data-tip": curve.isReference ? null : tip(point) }, cell(curve, point));
    }))));
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
