// What a run comes to in a few lines, as its run file says it: nothing here is computed.

import { h } from "./dom.mjs";
import { rowOf } from "./rows.mjs";
import { visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */

/**
 * The answers of the runs in view, where they have any. The row that a line names can be opened.
 * @param {RunData[]} runs @param {(id: string) => void} open takes what the address calls a row
 * @returns {Node[]}
 */
export function answersOf(runs, open) {
  return runs.filter(({ answer }) => answer?.findings.length).map((run) => {
    const where = runs.length > 1 ? ` · ${visible(run.id)}` : "";
    return h("section", { class: "answer" }, h("h2", {}, `Answer for ${visible(run.answer.about)}${where}`),
      h("dl", {}, run.answer.findings.map((/** @type {any} */ finding) => lineOf(run, finding, open))));
  });
}

/** @param {RunData} run @param {{subject: string, text: string, row: number | null, rows?: number[]}} finding @param {(id: string) => void} open */
function lineOf(run, { subject, text, row: id, rows = [] }, open) {
  const row = rowOf(run, id);
  const named = rows.length ? rows : [id];
  const labels = [...new Set(named.flatMap((number) => rowOf(run, number)?.labels ?? []))].map(visible).join("; ");
  return h("div", {}, h("dt", {}, visible(subject)), h("dd", {}, visible(text),
    labels ? h("span", { class: "faint" }, ` ${labels}`) : null,
    row ? h("button", { type: "button", class: "quiet", "aria-label": `details of ${visible(row.name)}`, click: () => open(`${run.id}:${row.id}`) }, "details") : null));
}
