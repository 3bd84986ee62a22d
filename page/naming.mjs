// What charts call rows, and the order of the formats, which gives each its colour and shape on the whole page.

import { compare } from "./rows.mjs";
import { visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */

/** The formats of a run, those that most of its rows are of first. A run never changes. @type {WeakMap<RunData, string[]>} */
const known = new WeakMap();

/** @param {RunData} run */
function formatsOf(run) {
  const found = known.get(run) ?? ordered(run);
  known.set(run, found);
  return found;
}

/** @param {RunData} run @returns {string[]} */
function ordered(run) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const row of run.rows) {
    const name = visible(row.format_name);
    if (row.role === "contender") counts.set(name, (counts.get(name) ?? 0) + (row.status === "ok" ? 1 : 0));
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || compare(a, b)).map(([name]) => name);
}

/** All formats of some runs: a run that is added leaves the places of the others' formats. @param {RunData[]} runs @returns {string[]} */
export function allFormats(runs) {
  return [...new Set(runs.flatMap(formatsOf))];
}

/** The names of rows where no column tells their formats: with the format in brackets if several have one name. @param {Row[]} rows @returns {string[]} */
export function namesIn(rows) {
  /** @type {Map<string, Set<string>>} */
  const formats = new Map();
  for (const { name, format_name } of rows) formats.set(name, (formats.get(name) ?? new Set()).add(format_name));
  return rows.map(({ name, format_name }) => visible((formats.get(name)?.size ?? 0) > 1 ? `${name} [${format_name}]` : name));
}

/** Labels that differ, which a chart's scale needs. @template {{label: string}} T @param {T[]} rows @returns {T[]} */
export function unique(rows) {
  const seen = new Map();
  return rows.map((row) => {
    const number = seen.get(row.label) ?? 0;
    seen.set(row.label, number + 1);
    return number ? { ...row, label: row.label + "\u200b".repeat(number) } : row;
  });
}
