// What a run comes to in a few lines, as its run file says it: nothing here is computed.

import { h, scrollingTable } from "./dom.mjs";
import { rowOf } from "./rows.mjs";
import { count, duration, significant, visible } from "./text.mjs";

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
      h("dl", {}, run.answer.findings.map((/** @type {any} */ finding) => lineOf(run, finding, open))), ...gainsOf(run));
  });
}

/** @param {RunData} run @param {{subject: string, text: string, row: number | null, rows?: number[]}} finding @param {(id: string) => void} open */
function lineOf(run, { subject, text, row: id, rows = [] }, open) {
  const row = rowOf(run, id);
  const named = rows.length ? rows : [id];
  // What stands behind a colon explains the label: the details have it.
  const labels = [...new Set(named.flatMap((number) => rowOf(run, number)?.labels ?? []).map((/** @type {string} */ label) => visible(label.split(": ")[0])))].join("; ");
  return h("div", {}, h("dt", {}, visible(subject)), h("dd", {}, visible(text),
    labels ? h("span", { class: "faint" }, ` ${labels}`) : null,
    row ? h("button", { type: "button", class: "quiet", "aria-label": `details of ${visible(row.name)}`, click: () => open(`${run.id}:${row.id}`) }, "details") : null));
}

/** What a schema buys: a line for each language, and for each test the best row with a schema beside the best without. @param {RunData} run */
function gainsOf(run) {
  const gains = /** @type {Gain[]} */ (run.answer.gains).filter(({ row, without }) => rowOf(run, row) && rowOf(run, without));
  if (!gains.length) return [];
  const tests = [...new Set(gains.map(({ test }) => test))];
  const head = tests.flatMap((test) => [`${test} with a schema`, "without", "×"]);
  const lines = [...new Set(gains.map(({ language }) => language))].map((language) => h("tr", {}, h("th", { scope: "row" }, visible(language)),
    ...tests.flatMap((test) => {
      const gain = gains.find((each) => each.language === language && each.test === test);
      if (!gain) return [0, 1, 2].map(() => h("td", {}));
      return [h("td", {}, sideOf(run, gain.row)), h("td", {}, sideOf(run, gain.without)),
        h("td", { class: "figure" }, gain.proved && gain.ratio !== null ? significant(gain.ratio, 3) : visible(gain.proved) || "tied")];
    })));
  return [h("h3", {}, "What a schema buys"),
    h("p", { class: "faint" }, "In each language the best row that needs a schema, and the best without. ×: how many times as long the one without takes."),
    scrollingTable("What a schema buys", {}, ["language", ...head].map((name) => h("th", { scope: "col", class: name === "×" ? "figure" : null }, name)), lines)];
}

/** @typedef {{language: string, test: string, row: number, without: number, ratio: number | null, proved: string}} Gain */

/** A row's library and format, its time and its bytes. @param {RunData} run @param {number} id */
function sideOf(run, id) {
  const row = /** @type {import("./rows.mjs").Row} */ (rowOf(run, id));
  const bytes = row.bytes === null ? "" : `, ${count(row.bytes)} B`;
  return [visible(`${row.name}, ${row.format_name}`), h("br", {}), h("span", { class: "faint" }, `${figureOf(row)}${bytes}`)];
}

/** @param {import("./rows.mjs").Row} row */
function figureOf(row) {
  if (row.platform) return "counted";
  if (row.at_floor) return "below resolution";
  return row.net_ns === null ? `${duration(row.raw_ns)} (raw)` : duration(row.net_ns);
}
