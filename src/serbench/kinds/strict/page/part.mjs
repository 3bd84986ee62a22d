// Which documents readers take and refuse, as a table of the page.

import { explained, h, scrollingTable } from "../../../../../page/dom.mjs";
import { addKind } from "../../../../../page/kinds.mjs";
import { column, titled } from "../../../../../page/probes.mjs";
import { count, visible } from "../../../../../page/text.mjs";

/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */
/** @typedef {import("../../../../../page/probes.mjs").Found} Found */

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

addKind({ probe: { results: "strict", sections: (run, several) => [strictOf(run, several)] } });
