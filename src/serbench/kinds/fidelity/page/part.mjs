// What libraries change, refuse and add, as a table of the page.

import { h, scrollingTable } from "../../../../../page/dom.mjs";
import { addKind } from "../../../../../page/kinds.mjs";
import { column, nameOf, titled } from "../../../../../page/probes.mjs";
import { visible } from "../../../../../page/text.mjs";

/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */
/** @typedef {import("../../../../../page/probes.mjs").Found} Found */

/** What stands in a cell, and its meaning. @type {Record<string, string>} */
const MARKS = {
  same: "·", form: "≈", changed: "→", refused: "refused", polluted: "sets a prototype", failed: "ends the process",
};
const LONGEST = 16;
const FIDELITY = "Fidelity: what each library changes, refuses or adds";

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
    return h("tr", {}, h("th", { scope: "row", "data-format": visible(record.format_name || record.format) }, nameOf(record)), h("td", { class: "format" }, visible(record.format_name || record.format)),
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

addKind({ probe: { results: "fidelity", sections: fidelityOf } });
