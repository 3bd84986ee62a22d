// How large a document each library takes, as a table of the page.

import { explained, h, scrollingTable } from "../../../../../page/dom.mjs";
import { addKind } from "../../../../../page/kinds.mjs";
import { column, nameOf, titled } from "../../../../../page/probes.mjs";
import { count, significant, visible } from "../../../../../page/text.mjs";

/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */
/** @typedef {import("../../../../../page/probes.mjs").Found} Found */

/** @type {Record<string, string>} */
const ENDED_BY = {
  heap: "out of heap", memory: "out of the machine's memory", "string length": "longest string",
  "buffer length": "longest buffer", "array length": "longest array", input: "no input",
};

/** @param {RunData} run @param {boolean} several */
function payloadsOf(run, several) {
  /** @type {Map<string, Found>} */
  const libraries = new Map();
  for (const record of /** @type {Found[]} */ (run.payloads)) {
    libraries.set(record.contender_id, { ...libraries.get(record.contender_id), [record.direction]: record, any: record });
  }
  const largest = (/** @type {Found} */ { encode, decode }) => Math.max(encode?.megabytes ?? 0, decode?.megabytes ?? 0);
  const rows = [...libraries.values()].sort((a, b) => largest(b) - largest(a)).map((found) =>
    h("tr", {}, h("th", { scope: "row", "data-format": visible(found.any.format_name || found.any.format) }, nameOf(found.any)), h("td", { class: "format" }, visible(found.any.format_name || found.any.format)),
      ["encode", "decode"].map((direction) => limitOf(found[direction]))));
  const heaps = [...new Set(/** @type {Found[]} */ (run.payloads).filter(({ status }) => status !== "unavailable").map(({ heap_mb }) => heap_mb ? `a heap of ${heap_mb} MB` : "Node's default heap"))];
  return h("section", {}, titled("Payload limit: the largest records that go through, in MB of JSON", run, several),
    h("p", { class: "faint" }, `${heaps.length ? `With ${heaps.join(", ")}; a` : "A"} process for each size. The sizes are the steps of the 2020 comparison. Limited by the input: the plain objects alone do not fit either, or what is to be read cannot be made.`),
    scrollingTable("Payload limits", { class: "probes" }, [column("contender"), h("th", { scope: "col", class: "format" }, "format"), ...["encode", "decode"].flatMap((direction) =>
      [h("th", { scope: "col", class: "figure" }, explained(direction, `The largest size, in MB of JSON, at which it ${direction}s.`)),
        h("th", { scope: "col", class: "figure" }, explained("rows", "The rows of the records of that size.")),
        h("th", { scope: "col" }, explained("ended by", "What went wrong at the next size."))])], rows));
}

/** @param {Found | undefined} record */
function limitOf(record) {
  if (!record) return [h("td", {}), h("td", {}), h("td", {})];
  const { megabytes = null, rows = null, failed_megabytes = null, failure = "", limited_by_input = false, reason = "", status = "ok" } = record;
  const reached = failed_megabytes === null && status === "ok";
  const why = reached ? "not reached" : status === "unavailable" ? `unavailable: ${reason}` : (ENDED_BY[failure] ?? failure);
  const limit = megabytes === null ? (status === "unavailable" ? "–" : "< 0.1") : `${reached ? "≥ " : ""}${significant(megabytes, 3)}`;
  return [h("td", { class: "figure" }, limit), h("td", { class: "figure faint" }, count(rows)),
    h("td", { "data-tip": visible(reason) || null }, visible(limited_by_input ? `limited by the input (${why})` : why))];
}

addKind({ probe: { results: "payloads", sections: (run, several) => [payloadsOf(run, several)] } });
