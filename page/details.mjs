// Everything that is known of one row, in a dialog.

import { figure, freeCharts } from "./charts.mjs";
import { byId, explained, h, replace } from "./dom.mjs";
import { kinds } from "./kinds.mjs";
import { meaningOf, shown } from "./metrics.mjs";
import { figuresOf } from "./rows.mjs";
import { copy } from "./share.mjs";
import { duration, relative, unitFor, visible } from "./text.mjs";
import { rankText } from "./table.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./metrics.mjs").Metric} Metric */

/** What labels mean that do not say it themselves, by how they begin. @type {[string, string][]} */
const MEANINGS = [
  ["speeds", "Its launches fall into separate groups: in some processes the same program is slower. The ranks leave none out."],
  ["changes doubles", "Some floating-point numbers come out different from what went in; this is the largest relative difference that was measured."],
    ["distribution build", "The library was built by the distribution, with its options, not with those of this run."],
  ["needs a library", "No package of it is installed by the set-up; it was found where --prefix or --use points."],
  ["needs a schema", "It knows the types beforehand, and keys need not be in its bytes; the others learn both from the data."],
  ["not from the source that comes first", "The library's usual source could not be had or built, so this may be another version."],
  ["reuses", "A buffer or parser is kept from one message to the next, which saves allocations."],
  ["overwrites its input", "The bytes that are read are changed, so they can be read only once; each reader gets a copy within the clock."],
  ["does not validate UTF-8", "Strings with invalid UTF-8 are accepted as they are."],
  ["replaces invalid UTF-8", "Strings with invalid UTF-8 are accepted; other text, such as U+FFFD, stands in its place."],
  ["checks no bounds", "Damaged input can make it read beyond its end."],
  ["crashes or hangs on damaged input", "Seen with inputs that were cut off or had bytes changed."],
  ["below the harness's own", "No row can take less than what the harness itself does in it, so its net figure is wrong: please report it."],
  ["page faults visible", "The kernel gives it memory anew again and again. At an estimated 250 ns for each fault that is 2 % of its time or more."],
  ["reads what its own library wrote", "No other library makes the canonical bytes of this format, so a mistake that reader and writer share would not be seen."],
  ["read back by itself only", "No other library of this format could check the output, so a mistake that reader and writer share would not be seen."],
  ["not read correctly by", "Another reader proved it; those named here refuse it or find something else in it."],
  ["its output is not read rightly by", "Another reader proved it; those named here refuse it or find something else in it."],
  ["decodes an absent field as", "A field that was left out comes back, with nothing in it."],
  ["decodes 64-bit integers as BigInt", "Also those that an ordinary number could hold, so a program has to handle both types."],
  ["every integer of 64 bits becomes a BigInt", "Also those that an ordinary number could hold, so a program has to handle both types."],
  ["infers its schema", "The schema is made of the very data that are measured."],
  ["instantiated for a second output stream", "A program with two kinds of streams carries this code twice."],
  ["random hash seed", "Its instructions differ from run to run by chance, its times by as much."],
  ["hash tables seeded at random", "Its instructions differ from run to run by chance, its times by as much."],
];
/** Options of a run that say where things are. */
const PLACES = ["--contender", "--use", "--prefix", "--timeout"];
const NO_FILE = /^(generated|document|corpus|records|records-distinct):/;

/** @param {string} text as an argument for a shell */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The values that some options have in a command, with the options. @param {string[]} command @param {string[]} options @returns {[string, string][]} */
function given(command, options) {
  return command.flatMap((word, n) => {
    const [option, ...rest] = word.split("=");
    if (!options.includes(option)) return [];
    const value = rest.length ? rest.join("=") : command[n + 1];
    return value === undefined ? [] : [/** @type {[string, string]} */ ([option, value])];
  });
}

/** How a command names the data of a row: a file by the path that the run's own command had. @param {Row} row @param {string[]} command */
function dataOf({ dataset }, command) {
  if (NO_FILE.test(dataset)) return ["--datasets", dataset];
  const files = given(command, ["--data", "--datasets"]).flatMap(([option, value]) => (option === "--data" ? [value] : value.split(",")))
    .filter((value) => !NO_FILE.test(value));
  const fitting = files.filter((path) => path.split("/").at(-1) === dataset.replace(/^\.\//, ""));
  const chosen = fitting.length === 1 ? fitting : files.length ? files : [dataset];
  return chosen.flatMap((path) => ["--data", path]);
}

/** The command that measures a row again. @param {Row} row @param {RunData} run */
export function commandOf(row, run) {
  const { settings } = run;
  const places = given(settings.command, PLACES).flat();
  const seed = settings.seed ? ["--seed", String(settings.seed)] : [];
  const own = kinds.map(({ commandOf: of }) => of?.(row, run)).find((words) => words);
  if (own) return ["./serbench", ...own, ...places, ...seed].map(quoted).join(" ");
  const which = ["--tests", row.test, "--contenders", row.contender_id, ...dataOf(row, settings.command), "--profile", row.profile];
  // Where nothing is timed, no option of timing is taken.
  if (row.platform) return ["./serbench", "count", "--platform", row.platform, ...which, ...places].map(quoted).join(" ");
  const words = ["./serbench", "run", ...which,
    ...(row.toolchain ? ["--compiler", row.toolchain] : []), ...(row.allocator && row.allocator !== "system" ? ["--allocator", row.allocator] : []),
    ...(row.cpu && row.cpu !== "baseline" ? ["--cpu", row.cpu] : []),
    ...places, ...seed, ...(settings.fragment === false ? ["--no-fragment"] : []),
    ...(row.instructions === null ? [] : ["--count", "instructions"]), `--${settings.precision}`];
  return words.map(quoted).join(" ");
}

/** Names, values and, where a name does not say it, what is meant. @param {[string, string | number | null | undefined, string?][]} facts */
export function factList(facts) {
  return h("dl", {}, facts.filter(([, value]) => value !== "" && value !== null && value !== undefined)
    .map(([name, value, meaning]) => h("div", {}, h("dt", {}, meaning ? explained(name, meaning) : name), h("dd", {}, value))));
}

/** @param {Row} row @param {RunData} run @param {Metric[]} metrics @param {() => void} close */
export function openDetails(row, run, metrics, close) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("details"));
  const figures = metrics.filter((metric) => metric.value(row, run) !== null).map((metric) => {
    const [value, interval] = [metric.value(row, run), metric.interval?.(row)];
    const half = interval && value ? ` ±${relative((interval[1] - interval[0]) / 2, value)}` : "";
    return /** @type {[string, string, string]} */ ([metric.name, metric.id === "net" && row.at_floor ? "below resolution" : shown(metric, value) + half, metric.meaning]);
  });
  const command = commandOf(row, run);
  freeCharts(dialog);
  replace(dialog,
    h("div", { class: "figure-head" }, h("h2", { id: "details-title" }, visible(row.name)),
      h("button", { type: "button", id: "close-details", click: close }, "Close")),
    h("p", { class: "faint" }, visible([row.format_name, row.platform, row.test, row.dataset, row.profile, `run ${run.id}`].filter(Boolean).join(" · "))),
    row.status === "ok" && !row.reason ? null : h("p", { class: "bad" }, visible([row.status === "ok" ? "" : row.status, row.reason].filter(Boolean).join(": "))),
    row.output ? h("pre", {}, row.output.split("\n").map(visible).join("\n")) : null,
    row.labels.length ? h("section", {}, h("h3", {}, "Notes"), h("ul", {}, row.labels.map((label) => {
      const meaning = MEANINGS.find(([begin]) => label.replace(/^\d+ /, "").startsWith(begin))?.[1];
      return h("li", {}, h("strong", {}, visible(label)), meaning ? ` ${meaning}` : "");
    }))) : null,
    row.samples.length ? samplesOf(row, run) : null,
    figures.length ? h("section", {}, h("h3", {}, "Figures"), factList([...figures,
      ["Rank", row.rank === null ? "" : rankText(row), meaningOf("rank")],
      ["Launches", row.launches ? `${row.launches}${row.few_samples ? `, fewer than the ${run.settings.launches} asked for` : ""}` : "", "How often all workers of the group were started anew; only launches count as independent."],
      ["2016 statistic, raw", row.short_runs_ns === null ? "" : `${duration(row.short_runs_ns, 4)}, deviation ${duration(row.short_runs_deviation_ns)}`, "All samples cut into seven groups in time order; best and worst dropped, the mean of the other five, as the suite of 2016 had it."],
      ["No code size", visible(row.code_size_reason)], ["Instructions not counted", visible(row.instructions_reason)]])) : null,
    h("section", {}, h("h3", {}, "What it is"), factList([
      ["Row", visible(row.row)], ["Library version", visible(row.library_version)], ["Origin", visible(row.origin)], ["Interface", visible(row.api)],
      ["Platform", platformText(row, run)], ["Compiler", visible(row.compiler)], ["Flags", visible(row.flags)], ["Allocator", visible(row.allocator)], ["Built for", visible(row.cpu)],
      ["Hash", visible(row.hash)], ["Verified by", visible(row.verified_by)]])),
    row.role === "contender" ? h("section", {}, h("h3", {}, "Measure it again"), h("pre", { id: "command" }, visible(command)),
      h("button", { type: "button", click: () => copy(command, "the command") }, "Copy")) : null);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** What an emulated platform is; empty for this machine. @param {Row} row @param {RunData} run */
function platformText(row, run) {
  const known = (run.platforms ?? []).find((/** @type {any} */ { name }) => name === row.platform);
  return visible(row.platform && known ? `${row.platform}: ${known.title}; ${known.flags}; ${known.emulator}` : row.platform);
}

/** @param {Row} row @param {RunData} run */
function samplesOf(row, run) {
  const [unit, scale] = unitFor(row.samples.map((sample) => sample[2]));
  const rows = row.samples.map(([launch, round, shortest, middle]) => ({
    launch, round, shortest: shortest / scale, median: middle / scale,
    tip: `launch ${launch}, round ${round}: shortest chunk ${duration(shortest, 4)}, median ${duration(middle, 4)}`,
  }));
  const figures = [...figuresOf(row).raw].map(([launch, ns]) => ({ launch, value: ns / scale }));
  // A few medians may be far out; they stay at the upper edge.
  const medians = rows.map((r) => r.median).sort((a, b) => a - b);
  const lowest = rows.reduce((least, r) => Math.min(least, r.shortest), Infinity);
  const highest = Math.max(medians[Math.floor(0.95 * (medians.length - 1))], rows.reduce((most, r) => Math.max(most, r.shortest), 0));
  return figure({
    name: "samples", title: "Every sample, raw time", rows, data: { figures }, signals: { title: unit },
    spoken: `${rows.length} samples in ${figures.length} launches; their shortest chunks take ${duration(lowest * scale, 4)} to ${duration(scale * rows.reduce((most, r) => Math.max(most, r.shortest), 0), 4)}.`,
    change: (spec) => { spec.scales[1].domain = [lowest, Math.max(highest, lowest * 1.01)]; },
    says: `Dots: the shortest chunk of each sample; rings: its median chunk; lines: the launch's figure, cleared of what all rows of a round share of the machine's speed. What lies above the top is drawn at its edge.${
      run.every > 1 ? ` To keep this file small it shows one round in ${run.every}; the figures are those of all.` : ""}`,
  });
}
