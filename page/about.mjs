// Where the figures come from: the runs, their data, and the method in short.

import { factList } from "./details.mjs";
import { explained, h, scrollingTable } from "./dom.mjs";
import { count, duration, percent, size, visible } from "./text.mjs";
import { isTimed } from "./view.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */

/** @param {{runs: RunData[]}} context @returns {Node[]} */
export function aboutOf({ runs }) {
  return [method(), ...runs.map(runOf)];
}

/** @param {RunData} run */
function runOf(run) {
  const { machine, settings } = run;
  const timed = isTimed(run);
  return h("section", {}, h("h2", {}, `Run ${visible(run.id)}`),
    run.complete ? null : h("p", { class: "bad" }, "This run was interrupted: what is here is not all."),
    run.notes.map((/** @type {string} */ note) => h("p", { class: "note" }, visible(note))),
    factList([
      ["Date", visible(run.started)], ["Took", `${Math.round(run.seconds)} s`], ["serbench", visible(run.serbench)],
      ["Processor", `${visible(machine.cpu)}, ${machine.cores} cores`], ["System", visible(`${machine.system}, kernel ${machine.kernel}, ${machine.architecture}`)],
      ["Memory", size(machine.memory_bytes)], ["Virtual machine", visible(machine.virtual)], ["Frequency governor", visible(machine.governor)],
      ["Compilers", visible(Object.entries(machine.compilers ?? {}).map((pair) => pair.join(" ")).join(", "))],
      ["Precision", !timed ? "" : visible(`${settings.precision}: ${settings.launches} to ${settings.max_launches} launches, chunks of ${settings.chunk_ns / 1e6} ms, wanted ±${percent(settings.target)}`)],
      ["Emulated platforms", visible((run.platforms ?? []).map((/** @type {any} */ { name, title }) => `${name}: ${title}`).join("; "))],
      ["Threshold of ranks", timed ? percent(settings.threshold) : ""], ["Command", visible(settings.command.join(" "))]]),
    run.datasets.map(datasetOf));
}

/** @param {string} text @param {string} meaning */
function head(text, meaning) {
  return h("th", { scope: "col", class: "figure" }, explained(text, meaning));
}

/** @param {any} dataset */
function datasetOf(dataset) {
  const messages = dataset.messages ?? 1;
  const encodings = /** @type {[string, any][]} */ (Object.entries(dataset.encodings ?? {})).sort(([, a], [, b]) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity));
  const compressors = [...new Set(encodings.flatMap(([, encoding]) => Object.keys(encoding.compressed ?? {})))].sort();
  return h("section", {}, h("h3", {}, `Data: ${visible(dataset.name)}`),
    h("p", { class: "faint" }, `${count(dataset.nodes)} values, nested ${dataset.depth} deep${messages > 1 ? `, ${count(messages)} messages; the sizes are of one` : ""}; content hash ${visible(dataset.content_hash)}, exact hash ${visible(dataset.exact_hash)}.`),
    encodings.length ? scrollingTable(`Encodings of ${visible(dataset.name)}`, {},
      [h("th", { scope: "col" }, "encoding"), head("bytes", "The data in this format, as its one canonical encoder writes them: what every reader gets."),
        ...compressors.flatMap((name) => [head(visible(name), "Bytes after this compressor, at this level."), head("time", "The shortest time that one such compression in memory took.")]),
        h("th", { scope: "col" }, explained("hash", "Of the encoding's bytes; or why there are none."))],
      encodings.map(([name, encoding]) => h("tr", {}, h("th", { scope: "row" }, visible(name)),
        h("td", { class: "figure" }, count(encoding.bytes === undefined || encoding.bytes === null ? null : encoding.bytes / messages)),
        compressors.map((compressor) => {
          const found = encoding.compressed?.[compressor];
          return [h("td", { class: "figure" }, count(found ? found.bytes / messages : null)), h("td", { class: "figure faint" }, duration(found ? found.nanoseconds / messages : null))];
        }),
        h("td", { class: "faint reason" }, visible(encoding.hash || encoding.reason || ""))))) : null);
}

function method() {
  const paragraphs = [
    ["No proof, no number.", "Every reader must yield the hash of the data, down to the last bit of every number, or a label says what it loses; every writer's output is read back, by another library where there is one. Every timed batch ends with that hash. A row that fails shows why, in place of a figure."],
    ["What is timed.", "write: the library encodes a tree of values, and the output is hashed. tree: the input is copied, read into a tree, walked, hashed, freed. incremental: the same, streamed, without a tree. serialize: the library encodes its own document. lookup: the input is copied, and the values at eight paths are found and hashed. The clock, the loop, the copy and the hash belong to the harness and are the same for all."],
    ["Net and raw.", "raw is the time per message as measured. net is raw less what the harness itself does in it for this very row (the copy of the input and the hash of the values, or the hash of the bytes), timed in the same launch. Where the interval of net reaches 0 and the harness takes more than half of raw a row is below resolution, and has no ratio."],
    ["Launches.", "All workers of a group are started together, sampled in rounds of changing order, and started anew several times. A launch's figure is the median over its rounds of the shortest chunk, without what all rows of a round share of the machine's speed; in languages with garbage collection it is the mean. Launches are what counts as independent."],
    ["Intervals and ranks.", "± is half the 95 % interval of the median over launches. The interval supposes independent launches, but no distribution, and it need not lie evenly about the time. A time is the mean of the launches inside the interval. With fewer than five launches it is the mean of all, with Student's interval. Ratios of one run are formed within launches. A rank is the range of places that the comparisons leave open: from 1 + the number of rows proved faster to the number of rows less those proved slower. Two runs are compared by Welch's interval of the logarithms."],
    ["Counts.", "Instructions, allocations and peak heap are counted in launches of their own, never in a timed one. On an emulated platform (ARM Linux, microcontrollers) nothing is timed at all: its figures are counts of instructions or cycles, in which caches, wait states and the pipeline of a real processor have no part, and no times can be told from them."],
    ["What the figures do not say.", "They hold for this machine, these compilers, data and versions. Every reader but those of lookup touches every value: a program that looks at few would rank lazy readers higher. A few per cent between two builds can come from where the code happens to lie."],
  ];
  return h("section", { class: "method" }, h("h2", {}, "How it was measured"), paragraphs.map(([title, text]) => h("p", {}, h("strong", {}, title), ` ${text}`)),
    h("p", { class: "faint" }, "METHOD.md of serbench has all of it."));
}
