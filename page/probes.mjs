// What the libraries in JavaScript change and carry, and how large a document they take.

import { explained, h, scrollingTable } from "./dom.mjs";
import { count, significant, visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {Record<string, any>} Found */

/** What stands in a cell, and its meaning. @type {Record<string, string>} */
const MARKS = {
  same: "·", form: "≈", changed: "→", refused: "refused", polluted: "sets a prototype", failed: "ends the process",
};
/** @type {Record<string, string>} */
const ENDED_BY = {
  heap: "out of heap", memory: "out of the machine's memory", "string length": "longest string",
  "buffer length": "longest buffer", "array length": "longest array", input: "no input",
};
const LONGEST = 16;

/** Whether any run has something to show here. @param {RunData[]} runs */
export function hasProbes(runs) {
  return runs.some((run) => run.fidelity?.length || run.payloads?.length);
}

/** @param {{runs: RunData[]}} context @returns {Node[]} */
export function probesOf({ runs }) {
  return runs.flatMap((run) => [
    ...(run.fidelity?.length ? [fidelityOf(run, runs.length > 1)] : []),
    ...(run.payloads?.length ? [payloadsOf(run, runs.length > 1)] : []),
  ]);
}

/** @param {string} title @param {RunData} run @param {boolean} several */
function titled(title, run, several) {
  return h("h2", {}, several ? `${title} · ${visible(run.id)}` : title);
}

/** @param {string} text */
const column = (text) => h("th", { scope: "col" }, text);
/** @param {Found} record */
const name = (record) => visible(record.variant ? `${record.contender} (${record.variant})` : record.contender);

/** @param {RunData} run @param {boolean} several */
function fidelityOf(run, several) {
  const records = /** @type {Found[]} */ (run.fidelity);
  const probes = [...new Set(records.flatMap((record) => (record.values ?? []).map((/** @type {Found} */ fate) => fate.probe)))];
  const rows = records.map((record) => {
    const fates = new Map((record.values ?? []).map((/** @type {Found} */ fate) => [fate.probe, fate]));
    return h("tr", {}, h("th", { scope: "row", "data-format": visible(record.format_name || record.format) }, name(record)), h("td", { class: "format" }, visible(record.format_name || record.format)),
      h("td", { class: "carries" }, carriedOf(record)), probes.map((probe) => fateOf(fates.get(probe))));
  });
  return h("section", {}, titled("Fidelity: what each library changes, refuses or adds", run, several),
    h("p", { class: "faint" }, "Each value was written and read by the library, and decoded records were inspected. · the same; ≈ the same value as another type; → something else, silently; refused: an error. 2^53+1n is a BigInt. Read: in bytes that another library of the format wrote. An empty cell: the format's schema has no such values."),
    scrollingTable("Fidelity", { class: "probes" }, [column("contender"), h("th", { scope: "col", class: "format" }, "format"), column("carries as well"), ...probes.map((probe) => column(visible(probe)))], rows));
}

/** @param {Found} record */
function carriedOf(record) {
  if ((record.status ?? "ok") !== "ok") return visible(`${record.status}: ${record.reason ?? ""}`);
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const { kind, where, what } of record.carries ?? []) {
    const said = `${kind} ${what}`;
    places.set(said, [...(places.get(said) ?? []), where || "root"]);
  }
  return visible([...places].map(([said, wheres]) => `${wheres.sort().join(", ")}: ${said}`).join("; ")) || "nothing";
}

/** @param {Found | undefined} fate */
function fateOf(fate) {
  if (!fate) return h("td", {});
  const { mark, at = "", found = "", peer = "", peer_mark = "", peer_found = "" } = fate;
  const read = peer_mark === "changed" || peer_mark === "polluted" ? ` · read ${cellOf(peer_mark, peer_found)}` : "";
  const peers = peer ? ` Bytes written by ${peer}: ${peer_mark} ${peer_found}` : "";
  const worst = mark === "polluted" || peer_mark === "polluted" ? "polluted" : mark === "changed" || read ? "changed" : mark;
  return h("td", { class: `fate ${worst}`, "data-tip": visible([mark, at && `by ${at}`, found].filter(Boolean).join(" ") + peers) },
    visible(cellOf(mark, found) + (mark === "changed" ? "" : read)));
}

/** @param {string} mark @param {string} found */
function cellOf(mark, found) {
  const said = MARKS[mark] ?? mark;
  if (mark !== "form" && mark !== "changed") return said;
  return `${said} ${found.length > LONGEST ? `${found.slice(0, LONGEST - 1)}…` : found}`;
}

/** @param {RunData} run @param {boolean} several */
function payloadsOf(run, several) {
  /** @type {Map<string, Found>} */
  const libraries = new Map();
  for (const record of /** @type {Found[]} */ (run.payloads)) {
    libraries.set(record.contender_id, { ...libraries.get(record.contender_id), [record.direction]: record, any: record });
  }
  const largest = (/** @type {Found} */ { encode, decode }) => Math.max(encode?.megabytes ?? 0, decode?.megabytes ?? 0);
  const rows = [...libraries.values()].sort((a, b) => largest(b) - largest(a)).map((found) =>
    h("tr", {}, h("th", { scope: "row", "data-format": visible(found.any.format_name || found.any.format) }, name(found.any)), h("td", { class: "format" }, visible(found.any.format_name || found.any.format)),
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
