// What libraries change and carry, how large a document they take, and which documents readers take and refuse.

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
const FIDELITY = "Fidelity: what each library changes, refuses or adds";

/** Whether any run has something to show here. @param {RunData[]} runs */
export function hasProbes(runs) {
  return runs.some((run) => run.fidelity?.length || run.payloads?.length || run.strict?.length);
}

/** @param {{runs: RunData[]}} context @returns {Node[]} */
export function probesOf({ runs }) {
  return runs.flatMap((run) => [
    ...fidelityOf(run, runs.length > 1),
    ...(run.payloads?.length ? [payloadsOf(run, runs.length > 1)] : []),
    ...(run.strict?.length ? [strictOf(run, runs.length > 1)] : []),
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

/** A table for each language, as each has values of its own. @param {RunData} run @param {boolean} several */
function fidelityOf(run, several) {
  const found = /** @type {Found[]} */ (run.fidelity ?? []);
  const languageOf = (/** @type {Found} */ record) => record.contender_id.split("/")[0];
  const languages = [...new Set(found.map(languageOf))];
  return languages.map((language) =>
    valuesOf(found.filter((record) => languageOf(record) === language), languages.length > 1 ? `${FIDELITY}: ${visible(language)}` : FIDELITY, run, several));
}

/** @param {Found[]} records @param {string} title @param {RunData} run @param {boolean} several */
function valuesOf(records, title, run, several) {
  const probes = [...new Set(records.flatMap((record) => (record.values ?? []).map((/** @type {Found} */ fate) => fate.probe)))];
  const rows = records.map((record) => {
    const fates = new Map((record.values ?? []).map((/** @type {Found} */ fate) => [fate.probe, fate]));
    return h("tr", {}, h("th", { scope: "row", "data-format": visible(record.format_name || record.format) }, name(record)), h("td", { class: "format" }, visible(record.format_name || record.format)),
      h("td", { class: "carries" }, carriedOf(record)), probes.map((probe) => fateOf(fates.get(probe))));
  });
  return h("section", {}, titled(title, run, several),
    h("p", { class: "faint" }, "Each value was written and read by the library, and decoded records were inspected. · the same; ≈ the same value as another type; → something else, silently; refused: an error. Values are named as in a program of their language. Read: in bytes that another library of the format wrote. An empty cell: the format's schema has no such values."),
    scrollingTable(title, { class: "probes" }, [column("contender"), h("th", { scope: "col", class: "format" }, "format"), column("carries as well"), ...probes.map((probe) => column(visible(probe)))], rows));
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

const ENDINGS = ["crash", "bad access", "undefined behaviour", "hang", "memory"];
/** Which documents stand in which column. @type {[string, string, (each: Found) => boolean][]} */
const SORTS = [
  ["refuses valid", "Documents that the format has.", ({ expected, outcome }) => expected === "accept" && outcome === "refused"],
  ["changes", "Valid documents in which it finds another value.", ({ expected, outcome }) => expected === "accept" && outcome === "changed"],
  ["takes invalid", "Documents that the format does not have.", ({ expected, outcome }) => expected === "refuse" && !ENDINGS.includes(outcome)],
  ["takes what is left to it", "The specification lets a reader take these or not.", ({ expected, outcome }) => expected === "either" && !ENDINGS.includes(outcome)],
  ["ends", "Its process crashes, hangs or runs out of memory.", ({ outcome }) => ENDINGS.includes(outcome)],
];

/** @param {RunData} run @param {boolean} several */
function strictOf(run, several) {
  const shown = (/** @type {Found} */ record) => visible(record.format_name || record.format);
  const records = /** @type {Found[]} */ ([...(run.strict ?? [])]).sort((a, b) => shown(a).localeCompare(shown(b)) || a.row.localeCompare(b.row));
  const rows = records.map((record) =>
    h("tr", {}, h("th", { scope: "row", "data-format": shown(record) }, visible(`${record.contender} (${[record.test, record.variant].filter(Boolean).join(", ")})`)), h("td", { class: "format" }, shown(record)),
      (record.status ?? "ok") === "ok" ? SORTS.map(([, , belongs]) => judgedOf((record.judged ?? []).filter(belongs))) : [h("td", { class: "carries", colspan: SORTS.length }, visible(`${record.status}: ${record.reason ?? ""}`))],
      damageOf(record.damage)));
  return h("section", {}, titled("Strictness: what each reader takes and refuses", run, several),
    h("p", { class: "faint" }, "Documents that the format's specification allows or forbids, by kind; each cell tells which. Damaged: mutations of a small document, how many the reader takes, and how often its process ended."),
    scrollingTable("Strictness", { class: "probes" }, [column("reader"), h("th", { scope: "col", class: "format" }, "format"), ...SORTS.map(([title, tip]) => h("th", { scope: "col" }, explained(title, tip))), column("damaged")], rows));
}

/** @param {Found[]} found */
function judgedOf(found) {
  /** @type {Map<string, string[]>} */
  const kinds = new Map();
  for (const { kind, case: name, outcome } of found) kinds.set(kind, [...(kinds.get(kind) ?? []), ENDINGS.includes(outcome) ? `${name} (${outcome})` : name]);
  const tip = [...kinds].map(([kind, names]) => `${kind}: ${names.join(", ")}`).join("; ");
  return h("td", { class: "fate", "data-tip": visible(tip) || null }, visible([...kinds].map(([kind, names]) => `${kind} ${names.length}`).join(", ")));
}

/** @param {Found | null | undefined} damage */
function damageOf(damage) {
  if (!damage) return h("td", {});
  const ends = /** @type {Found[]} */ (damage.ends ?? []);
  const times = ENDINGS.map((kind) => [kind, ends.filter((end) => end.kind === kind).reduce((sum, end) => sum + end.times, 0)]).filter(([, number]) => number);
  const said = [`${count(damage.tried)} tried`, `${count(damage.taken)} taken`, ...times.map(([kind, number]) => `${kind} ${number}`)];
  const tip = [damage.sanitizer === "library" ? "built with sanitizers" : damage.sanitizer === "caller" ? "the library without sanitizer" : "without sanitizer", ...ends.map((end) => end.said ?? "")];
  return h("td", { class: `fate${ends.length ? " changed" : ""}`, "data-tip": visible(tip.filter(Boolean).join("; ")) }, visible(said.join(", ")));
}
