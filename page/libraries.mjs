// The libraries of the runs: which version, from where, used how, and what must be known of each.

import { h, scrollingTable } from "./dom.mjs";
import { hasProbes, probesOf } from "./probes.mjs";
import { compare } from "./rows.mjs";
import { NONE, visible } from "./text.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./rows.mjs").Row} Row */

/** Whether any run has libraries or probes of them. @param {RunData[]} runs */
export function hasLibraries(runs) {
  return hasProbes(runs) || runs.some(({ rows }) => rows.some(({ role }) => role === "contender"));
}

/** @param {{runs: RunData[]}} context @returns {Node[]} */
export function librariesOf({ runs }) {
  return [...runs.map((run) => listOf(run, runs.length > 1)).filter((part) => part !== null), ...probesOf({ runs })];
}

/** @param {RunData} run @param {boolean} several */
function listOf(run, several) {
  /** @type {Map<string, Row[]>} */
  const libraries = new Map();
  for (const row of run.rows) {
    if (row.role !== "contender") continue;
    libraries.set(row.contender_id, [...(libraries.get(row.contender_id) ?? []), row]);
  }
  if (!libraries.size) return null;
  const found = [...libraries.values()].sort(([a], [b]) => compare(a.language_name, b.language_name) || compare(a.contender.toLowerCase(), b.contender.toLowerCase()));
  const title = `${found.length} librar${found.length === 1 ? "y" : "ies"}`;
  const lines = found.map(cellsOf);
  const heads = Object.keys(lines[0]).filter((head) => lines.some((line) => line[head]));
  return h("section", { class: "libraries" }, h("h2", {}, several ? `${title} · ${visible(run.id)}` : title),
    scrollingTable("Libraries", {}, ["library", ...heads].map((head) => h("th", { scope: "col" }, head)), lines.map((line, n) => h("tr", {},
      h("th", { scope: "row" }, linked(visible(found[n][0].contender), found[n][0].homepage)),
      heads.map((head) => h("td", { class: CLASSES[head] ?? null }, line[head] || NONE))))));
}

/** @type {Record<string, string>} */
const CLASSES = { "how it is used": "reason", notes: "notes", date: "day" };

/** What is said of a library, by the heads of its columns. @param {Row[]} rows those of the library @returns {Record<string, string>} */
function cellsOf(rows) {
  const [first] = rows;
  const known = (/** @type {string} */ field) => visible(rows.find((row) => row[field])?.[field] ?? "");
  const formats = [...new Set(rows.map((row) => row.format_name))].map(visible).join(", ");
  // What is said of a part of its rows only is on these rows.
  const labels = first.labels.filter((label) => rows.every((row) => row.labels.includes(label)));
  const why = rows.every(({ status }) => status !== "ok") ? `${first.status}: ${first.reason}` : "";
  return {
    language: visible(first.language_name), format: formats, version: known("library_version"), date: known("released"), licence: known("license"),
    source: known("origin"), "how it is used": known("api"), notes: [why, ...labels].filter(Boolean).map(visible).join("; "),
  };
}

/** @param {string} text @param {string} [address] */
function linked(text, address) {
  return address?.startsWith("https://") ? h("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text) : text;
}
