// Times over payload size, and their ratios to JSON's: as src/serbench/kinds/growth/curves.py makes them.

import { figuresOf, hasNet } from "../../../../../page/rows.mjs";
import { pairedRatio } from "../../../../../page/statistics.mjs";
import { count, lastLine, significant, visible } from "../../../../../page/text.mjs";

/** @typedef {import("../../../../../page/rows.mjs").Row} Row */
/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */
/** @typedef {{value: number, low: number | null, high: number | null}} Value */
/** Its times are raw where one of the two has no net time that is clear of 0. @typedef {Value & {isRaw: boolean}} Ratio */
/** @typedef {{megabytes: number, time: Value | null, ratio: Ratio | null, row: Row}} Point */
/** @typedef {{name: string, origin: string, format: string, shape: string, isReference: boolean, points: Point[]}} Curve */
/** Names of curves and points, and what is said of each. @typedef {[string, string][]} Remarks */
/** @typedef {{title: string, sizes: number[], curves: Curve[], notes: Remarks, without: Remarks}} CurveTable */
/** @typedef {{name: string, curves: Curve[]}} Selection */

const WORDS = /** @type {Record<string, string>} */ ({ write: "encode", tree: "decode" });
const NAME = /^(records(?:-distinct)?):([0-9.]+)(?::([a-z]+))?$/;
const LEAST_OF_FORMAT = 3;
const NO_NET = "no net time above 0";

/** The tables of each run; a run file never changes. @type {WeakMap<RunData, CurveTable[]>} */
const known = new WeakMap();

/** @param {Row} a @param {Row} b @param {RunData} run @returns {Ratio | null} */
function ratioOf(a, b, run) {
  const both = hasNet(a) && hasNet(b);
  const which = both ? "net" : "raw";
  const found = pairedRatio(figuresOf(a)[which], figuresOf(b)[which]);
  return found && Number.isFinite(found.low) ? { ...found, isRaw: !both } : null;
}

/** The curves of a run: a table for each test and kind of records that has two sizes or more, in a growth run one. @param {RunData} run @returns {CurveTable[]} */
export function curveTablesOf(run) {
  const found = known.get(run) ?? curveTablesIn(run);
  known.set(run, found);
  return found;
}

/** @param {RunData} run @returns {CurveTable[]} */
function curveTablesIn(run) {
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
    if (sizes.length < (run.settings.growth ? 1 : 2)) return [];
    const curves = curvesOf(places, run);
    return [{
      title, sizes, curves: curves.filter(({ points }) => points.some(isKnown)),
      notes: curves.flatMap((curve) => noteOn(curve, run.settings.launches)), without: curves.flatMap(withoutFigures),
    }];
  });
}

/** @param {{row: Row, megabytes: number, shape: string}[]} places @param {RunData} run @returns {Curve[]} */
function curvesOf(places, run) {
  const references = new Map(places.filter(({ row }) => isReference(row, run) && row.figures.length).map(({ row, megabytes, shape }) => [`${megabytes} ${shape}`, row]));
  /** @type {Map<string, Curve>} */
  const curves = new Map();
  for (const { row, megabytes, shape } of places) {
    const reference = references.get(`${megabytes} `) ?? references.get(`${megabytes} ${shape}`);
    const name = shape && !row.name.includes(shape) ? `${row.name} ${shape}` : row.name;
    /** @type {Curve} */
    const curve = curves.get(`${row.row} ${shape}`) ?? { name, origin: row.origin, format: row.format_name, shape, isReference: isReference(row, run) && !shape, points: [] };
    curves.set(`${row.row} ${shape}`, curve);
    const hasTime = row.net_ns > 0;
    curve.points.push({ megabytes, time: hasTime ? { value: row.net_ns, low: row.net_low_ns, high: row.net_high_ns } : null, ratio: reference && row.figures.length ? ratioOf(row, reference, run) : null, row });
  }
  const middle = (/** @type {Curve} */ { points }) => {
    const ratios = points.flatMap(({ ratio }) => (ratio ? [ratio.value] : []));
    return ratios[ratios.length >> 1] ?? Infinity;
  };
  for (const { points } of curves.values()) points.sort((a, b) => a.megabytes - b.megabytes);
  // Two without a ratio are Infinity - Infinity apart, which is no order.
  return [...curves.values()].sort((a, b) => Number(b.isReference) - Number(a.isReference) || (middle(a) - middle(b)) || 0);
}

/** @param {Point} point */
function isKnown({ time, ratio }) {
  return time !== null || ratio !== null;
}

/** What must be known about a curve, with the sizes of what does not hold at all of them. @param {Curve} curve @param {number} asked @returns {Remarks} */
function noteOn({ name, points }, asked) {
  const measured = points.filter(({ row }) => row.figures.length);
  const sizes = bySaid(measured, (point) => [
    ...point.row.labels,
    ...(point.row.few_samples ? [`few samples: ${point.row.launches} of ${asked} launches`] : []),
    ...(point.time === null && point.ratio !== null ? [NO_NET] : []),
  ]);
  const said = [...sizes].map(([note, found]) => (found.length === measured.length ? note : `${note} (at ${found.join(", ")} MB)`));
  return said.length ? [[name, said.join("; ")]] : [];
}

/** The points of a curve that have no figure, those with the same reason together, and why. @param {Curve} curve @returns {Remarks} */
function withoutFigures({ name, points }) {
  const sizes = bySaid(points.filter((point) => !isKnown(point)),
    ({ row }) => [row.figures.length ? `${NO_NET}, and no two launches in common with JSON` : whyNot(row)]);
  return [...sizes].map(([reason, found]) => [`${name} at ${found.join(", ")} MB`, reason]);
}

/** The sizes of points by what is said of them. @param {Point[]} points @param {(point: Point) => string[]} says */
function bySaid(points, says) {
  /** @type {Map<string, number[]>} */
  const sizes = new Map();
  for (const point of points) {
    for (const said of says(point)) sizes.set(said, [...(sizes.get(said) ?? []), point.megabytes]);
  }
  return sizes;
}

/** Why a row has no figures, in the words of view.py. @param {Row} row */
function whyNot(row) {
  const reason = row.reason.split(/\s+/).filter(Boolean).join(" ");
  const counted = [
    row.instructions === null ? "" : `${significant(row.instructions)} instructions`,
    row.code_size === null ? "" : `code size ${count(row.code_size)}`,
    row.bundle_size === null ? "" : `bundle ${count(row.bundle_size)}`,
  ].filter(Boolean);
  const output = lastLine(row.output);
  return ([row.status === "ok" ? "" : row.status, reason].filter(Boolean).join(": ") || "no reason is recorded")
    + (counted.length ? ` (counted: ${counted.join(", ")})` : "") + (output ? ` (it wrote: ${output})` : "");
}

/** Whether times are compared with those of a row; an older file does not say it. @param {Row} row @param {RunData} run */
function isReference(row, run) {
  return (run.settings.references ?? [`${row.language}/json`]).includes(row.contender_id) && !row.variant;
}

/** The curves that are drawn together: all on maps; each format of which there are several; the settings of a library. @param {CurveTable} table @returns {Selection[]} */
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
