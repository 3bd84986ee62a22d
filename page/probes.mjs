// What is found out of libraries by asking them, without times: a table for each kind of run that does so.

import { h } from "./dom.mjs";
import { kinds } from "./kinds.mjs";
import { visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {Record<string, any>} Found */

/** Whether any run has something to show here. @param {RunData[]} runs */
export function hasProbes(runs) {
  return runs.some((run) => kinds.some(({ probe }) => probe && run[probe.results]?.length));
}

/** @param {{runs: RunData[]}} context @returns {Node[]} */
export function probesOf({ runs }) {
  return runs.flatMap((run) => kinds.flatMap(({ probe }) => (probe && run[probe.results]?.length ? probe.sections(run, runs.length > 1) : [])));
}

/** @param {string} title @param {RunData} run @param {boolean} several */
export function titled(title, run, several) {
  return h("h2", {}, several ? `${title} · ${visible(run.id)}` : title);
}

/** @param {string} text */
export const column = (text) => h("th", { scope: "col" }, text);
/** @param {Found} record */
export const nameOf = (record) => visible(record.variant ? `${record.contender} (${record.variant})` : record.contender);
