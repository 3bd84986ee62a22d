// Taking a view away: as Markdown or CSV on the clipboard, as a file.

import { say } from "./dom.mjs";
import { visible } from "./text.mjs";

/** @param {string} name @param {string} type @param {string | Blob} content */
export function download(name, type, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copy a text, by the old way where the new one is not allowed. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) {
      say(`The browser did not allow to copy ${what}.`, true);
      return;
    }
  }
  say(`Copied ${what}.`);
}

/** @typedef {{headers: string[], rows: (string | number | null)[][]}} Table */

/** As Markdown that begins no markup, HTML or cell. @param {Table} table */
export function markdownOf({ headers, rows }) {
  const cell = (/** @type {string | number | null} */ value) => visible(value ?? "")
    .replace(/[\\`*_[\]~$]/g, "\\$&")
    .replace(/[&<>|]/g, (c) => /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;" })[c]);
  const line = (/** @type {(string | number | null)[]} */ cells) => `| ${cells.map(cell).join(" | ")} |`;
  const numeric = headers.map((_, n) => rows.some((row) => typeof row[n] === "number"));
  return [line(headers), `|${numeric.map((right) => (right ? "---:" : "---")).join("|")}|`, ...rows.map(line)].join("\n") + "\n";
}

/** As CSV; a text that a spreadsheet would run as a formula begins with an apostrophe. @param {Table} table */
export function csvOf({ headers, rows }) {
  const field = (/** @type {string | number | null} */ value) => {
    if (typeof value === "number") return String(value);
    const text = visible(value ?? "");
    const safe = /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [headers, ...rows].map((row) => row.map(field).join(",")).join("\n") + "\n";
}
