// Everything that is known of one row, in a dialog.

import { figure } from "./charts.mjs";
import { byId, h, replace } from "./dom.mjs";
import { shown } from "./metrics.mjs";
import { copy } from "./share.mjs";
import { duration, relative, unitFor, visible } from "./text.mjs";
import { figuresOf } from "./view.mjs";

/** @typedef {import("./analysis.mjs").Row} Row */
/** @typedef {import("./analysis.mjs").RunData} RunData */
/** @typedef {import("./metrics.mjs").Metric} Metric */

/** What labels mean, by how they begin. @type {[string, string][]} */
const MEANINGS = [
  ["changes doubles", "Some floating-point numbers come out different from what went in; X is the largest relative difference measured."],
  ["distribution build", "The library was built by the distribution, with its options, not with those of this run."],
  ["reuses", "A buffer or parser is kept from one message to the next, which saves allocations."],
  ["modifies its input", "The bytes that are read are overwritten, so they can be read only once."],
  ["does not validate UTF-8", "Strings with invalid UTF-8 are accepted as they are."],
  ["checks no bounds", "Damaged input can make it read beyond its end."],
  ["crashes or hangs on damaged input", "Seen with inputs that were cut off or had bytes changed."],
  ["keeps no key order", "Maps come out in another order than they went in."],
  ["needs a library", "No package of it is installed by the set-up."],
  ["read back by the same library", "No other library of this format could check the output."],
  ["not its default", "The library's authors chose other options as the default."],
];

/** @param {string} text as an argument for a shell */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that measures a row again. @param {Row} row @param {RunData} run */
export function commandOf(row, run) {
  const data = row.dataset.startsWith("generated:") ? ["--datasets", row.dataset] : ["--data", row.dataset];
  const words = ["./serbench", "run", "--tests", row.test, "--contenders", row.contender_id, ...data, "--profile", row.profile,
    ...(row.toolchain ? ["--compiler", row.toolchain] : []), ...(row.allocator && row.allocator !== "system" ? ["--allocator", row.allocator] : []),
    ...(run.settings.seed ? ["--seed", String(run.settings.seed)] : []), ...(run.settings.fragment === false ? ["--no-fragment"] : []),
    ...(row.instructions === null ? [] : ["--count", "instructions"]), `--${run.settings.precision}`];
  return words.map(quoted).join(" ");
}

/** @param {[string, import("./dom.mjs").Child | import("./dom.mjs").Child[]][]} facts */
export function factList(facts) {
  return h("dl", {}, facts.filter(([, value]) => value !== "" && value !== null && value !== undefined)
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, Array.isArray(value) ? value : [value]))));
}

/** @param {Row} row @param {RunData} run @param {Metric[]} metrics @param {() => void} close */
export function openDetails(row, run, metrics, close) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("details"));
  const figures = metrics.filter((metric) => metric.value(row, run) !== null).map((metric) => {
    const [value, interval] = [metric.value(row, run), metric.interval?.(row)];
    const half = interval && value ? ` ±${relative((interval[1] - interval[0]) / 2, value)}` : "";
    return /** @type {[string, string]} */ ([metric.name, metric.id === "net" && row.at_floor ? "at the floor" : shown(metric, value) + half]);
  });
  const command = commandOf(row, run);
  replace(dialog,
    h("div", { class: "figure-head" }, h("h2", { id: "details-title" }, visible(row.name)),
      h("button", { type: "button", id: "close-details", click: close }, "Close")),
    h("p", { class: "faint" }, visible([row.format_name, row.test, row.dataset, row.profile, `run ${run.id}`].filter(Boolean).join(" · "))),
    row.status === "ok" && !row.reason ? null : h("p", { class: "bad" }, visible([row.status === "ok" ? "" : row.status, row.reason].filter(Boolean).join(": "))),
    row.output ? h("pre", {}, row.output.split("\n").map(visible).join("\n")) : null,
    row.labels.length ? h("section", {}, h("h3", {}, "Notes"), h("ul", {}, row.labels.map((label) => {
      const meaning = MEANINGS.find(([begin]) => label.startsWith(begin))?.[1];
      return h("li", {}, h("strong", {}, visible(label)), meaning ? ` ${meaning}` : "");
    }))) : null,
    row.samples.length ? samplesOf(row, run) : null,
    figures.length ? h("section", {}, h("h3", {}, "Figures"), factList([...figures,
      ["Rank", row.rank === null ? "" : String(row.rank)],
      ["Launches", row.launches ? `${row.launches}${row.few_samples ? `, fewer than the ${run.settings.launches} asked for` : ""}` : ""],
      ["2016 statistic, raw", row.short_runs_ns === null ? "" : `${duration(row.short_runs_ns, 4)}, deviation ${duration(row.short_runs_deviation_ns)}`],
      ["No code size", visible(row.code_size_reason)], ["Instructions not counted", visible(row.instructions_reason)]])) : null,
    h("section", {}, h("h3", {}, "What it is"), factList([
      ["Row", visible(row.row)], ["Library version", visible(row.library_version)], ["Origin", visible(row.origin)], ["Interface", visible(row.api)],
      ["Compiler", visible(row.compiler)], ["Flags", visible(row.flags)], ["Allocator", visible(row.allocator)],
      ["Hash", visible(row.hash)], ["Verified by", visible(row.verified_by)]])),
    row.role === "contender" ? h("section", {}, h("h3", {}, "Measure it again"), h("pre", { id: "command" }, visible(command)),
      h("button", { type: "button", click: () => copy(command, "the command") }, "Copy")) : null);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** @param {Row} row @param {RunData} run */
function samplesOf(row, run) {
  const [unit, scale] = unitFor(row.samples.map((sample) => sample[2]));
  const rows = row.samples.map(([launch, round, shortest, middle]) => ({
    launch, round, shortest: shortest / scale, median: middle / scale,
    tip: `launch ${launch}, round ${round}: shortest chunk ${duration(shortest, 4)}, median ${duration(middle, 4)}`,
  }));
  const figures = [...figuresOf(row, run).raw].map(([launch, ns]) => ({ launch, value: ns / scale }));
  // A few medians may be far out; they stay at the upper edge.
  const medians = rows.map((r) => r.median).sort((a, b) => a - b);
  const lowest = rows.reduce((least, r) => Math.min(least, r.shortest), Infinity);
  const highest = Math.max(medians[Math.floor(0.95 * (medians.length - 1))], rows.reduce((most, r) => Math.max(most, r.shortest), 0));
  return figure({
    name: "samples", title: "Every sample, raw time", rows, data: { figures }, signals: { title: unit },
    change: (spec) => { spec.scales[1].domain = [lowest, Math.max(highest, lowest * 1.01)]; },
    says: `Dots: the shortest chunk of each sample; rings: its median chunk; lines: the launch's figure. What lies above the top is drawn at its edge.${
      run.every > 1 ? ` To keep this file small it shows one round in ${run.every}; the figures are those of all.` : ""}`,
  });
}
