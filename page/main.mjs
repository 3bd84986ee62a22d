// The page: unpacks its data, and draws what the address asks for whenever that changes.

import { aboutOf } from "./about.mjs";
import { calculatorOf } from "./calculator.mjs";
import { freeCharts, useCharts } from "./charts.mjs";
import { compareOf } from "./compare.mjs";
import { openDetails } from "./details.mjs";
import { byId, h, replace, say, showTips } from "./dom.mjs";
import { embeddedOf, hasPlatforms } from "./embedded.mjs";
import { kinds } from "./kinds.mjs";
import { hasLibraries, librariesOf } from "./libraries.mjs";
import { BadFile, checkedFile, readRun } from "./load.mjs";
import { metricsOf, useMetrics } from "./metrics.mjs";
import { ordersOf } from "./orders.mjs";
import { resultsOf } from "./results.mjs";
import { hasProbes } from "./probes.mjs";
import { giveSamples, runOf } from "./rows.mjs";
import { joined, readState, several, writeState } from "./state.mjs";
import { visible } from "./text.mjs";
import { HERE, isTimed, rowsOn, runsInView, settled } from "./view.mjs";

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./state.mjs").State} State */
/** @typedef {{schema: number, summary: number, records: import("./load.mjs").Records, metrics: import("./metrics.mjs").Entries, every: number, charts: any, themes: any, runs: any[], orders: import("./orders.mjs").Orders | null}} PageData */

/** @type {[string, string, (context: import("./results.mjs").Context) => Node[]][]} */
const VIEWS = [
  ["results", "Results", resultsOf], ["compare", "Compare", compareOf], ["orders", "Machines", ordersOf], ["calculator", "Calculator", calculatorOf],
  ...kinds.flatMap(({ view }) => (view ? [/** @type {[string, string, typeof view.show]} */ ([view.id, view.title, view.show])] : [])),
  ["libraries", "Libraries", librariesOf], ["embedded", "Microcontrollers", embeddedOf],
  ["about", "About", aboutOf],
];
/** A run file larger than this is not for a browser. */
const MOST_BYTES = 500_000_000;

/** What is in the file under an id. @param {string} id */
function unpacked(id) {
  const stream = new Blob([fromBase64(byId(id).textContent ?? "")]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
  const own = /** @type {any} */ (Uint8Array).fromBase64; // not every browser has it yet
  if (own) return own.call(Uint8Array, text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; n++) bytes[n] = letters.charCodeAt(n);
  return bytes;
}

/** @type {Promise<void> | null} */
let loadingLibrary = null;

/** Run the charting library, which takes as long as all the rest and is wanted when the tables stand. */
function library() {
  loadingLibrary ??= unpacked("library").text().then((text) => {
    const script = document.createElement("script"); // the page's policy knows its digest
    script.textContent = text;
    document.head.append(script);
    script.remove();
  });
  return loadingLibrary;
}

/** @param {PageData} data */
function start({ schema, summary, records, metrics: entries, every, charts, themes, runs: files, orders }) {
  const runs = files.map((file) => runOf(checkedFile(file, records), every));
  useMetrics(entries);
  useCharts(charts, themes, library);
  /** @type {State} */
  let state = readState(location.hash);
  const dialog = /** @type {HTMLDialogElement} */ (byId("details"));

  /** @param {State} changes */
  const choose = (changes) => {
    const next = { ...state, ...changes };
    if (writeState(next) === writeState(state)) return;
    // What is typed letter by letter is one step back, not many.
    const typed = "find" in changes && Object.keys(changes).length === 1 && state.find !== "";
    history[typed ? "replaceState" : "pushState"](null, "", writeState(next));
    draw();
  };
  /** @type {import("./table.mjs").Actions} */
  const actions = {
    choose,
    open: (entry) => choose({ row: `${entry.run.id}:${entry.row.id}` }),
    hide: (entry) => choose({ hide: joined([...several(state.hide), entry.key]) }),
  };

  // They are most of the file, and wanted only when a row is opened.
  const shipped = [...runs];
  /** @type {Promise<void> | null} */
  let loading = null;
  const loadSamples = () => {
    loading ??= unpacked("samples").json().then((/** @type {Record<string, number[][]>[]} */ samples) => {
      for (const [n, run] of shipped.entries()) for (const row of run.rows) row.samples = samples[n][row.id];
    });
    return loading;
  };
  const drawDetails = () => {
    const run = runs.find(({ id }) => state.row.startsWith(`${id}:`));
    const row = run?.rows.find(({ id }) => state.row === `${run.id}:${id}`);
    if (run && row && !row.samples) loadSamples().then(drawDetails);
    else if (run && row) openDetails(row, run, metricsOf([{ run, rows: rowsOn(run, row.platform || HERE) }]), () => dialog.close());
    else if (dialog.open) dialog.close();
  };

  let drawn = "";
  const draw = () => {
    state = readState(location.hash);
    const shown = viewsOf(runs, orders !== null);
    const [id, , parts] = shown.find(([name]) => name === state.view) ?? shown[0];
    const apart = JSON.stringify({ ...state, row: "" });
    setTheme(state.theme);
    if (apart !== drawn) {
      const { state: chosen, choices } = settled(runs, state);
      const having = (/** @type {RunData[]} */ some) => metricsOf(some.map((run) => ({ run, rows: rowsOn(run, chosen.platform) })));
      const own = having(runsInView(runs, chosen).map(({ run }) => run));
      // A run in which nothing was measured has sizes at most: then those of the others, so that its rows are seen to lack a time.
      const all = having(runs);
      const metrics = own[0]?.id === all[0]?.id ? own : all;
      freeCharts(byId("main"));
      drawTabs(id, (view) => choose({ view }), state, shown);
      replace(byId("main"), metrics.length || id === "about" || id === "embedded" || id === "libraries"
        ? parts({ runs, state: chosen, asked: state, choices, metrics, actions, orders })
        : [h("p", {}, "This run has no figures."), ...aboutOf({ runs })]);
      drawn = apart;
    }
    drawDetails();
  };

  byId("what").textContent = describe(runs);
  byId("theme").addEventListener("click", () => choose({ theme: isDark() ? "light" : "dark" }));
  dialog.addEventListener("close", () => { byId("tip").hidden = true; document.body.append(byId("tip")); choose({ row: "" }); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  addEventListener("popstate", draw);
  addEventListener("hashchange", draw);
  let resized = 0;
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // a phone's address bar changes only the height
    width = innerWidth;
    clearTimeout(resized);
    resized = window.setTimeout(() => { drawn = ""; draw(); }, 150);
  });
  takeFiles(runs, { schema, summary, records }, (added) => {
    drawn = "";
    byId("what").textContent = describe(runs);
    const earlier = runs.slice(0, runs.indexOf(added)).findLast(isTimed);
    choose(isTimed(added) && earlier ? { view: "compare", run: "", old: earlier.id, new: added.id } : { view: ownView(added), run: added.id });
    draw();
  });
  showTips();
  draw();
}

/** @param {RunData[]} runs */
function describe(runs) {
  const [{ id, machine, complete }] = runs;
  return runs.length > 1 ? `${runs.length} runs` : `${visible(id)} · ${visible(machine.cpu)}${complete ? "" : " · interrupted: not all is here"}`;
}

/** The view that shows what is in a run. @param {RunData} run */
function ownView(run) {
  if (run.rows.length) return "results";
  return hasPlatforms([run]) ? "embedded" : hasProbes([run]) ? "libraries" : "results";
}

/** The views that have something to show. @param {RunData[]} runs @param {boolean} orders */
function viewsOf(runs, orders) {
  const any = runs.some((run) => run.rows.length) || !(hasPlatforms(runs) || hasProbes(runs));
  const timed = any && (runs.some(isTimed) || !runs.some((run) => run.rows.length));
  /** @type {Record<string, boolean>} */
  const some = { about: true, orders, results: any, embedded: hasPlatforms(runs), libraries: hasLibraries(runs) };
  for (const { view } of kinds) if (view) some[view.id] = view.has(runs);
  return VIEWS.filter(([id]) => some[id] ?? timed);
}

/** @param {string} current @param {(view: string) => void} go @param {State} state @param {typeof VIEWS} shown */
function drawTabs(current, go, state, shown) {
  replace(byId("tabs"), shown.map(([id, name]) => h("a", {
    id: `tab-${id}`, href: writeState({ ...state, view: id, row: "" }), "aria-current": id === current ? "page" : null,
    click: (/** @type {MouseEvent} */ event) => { event.preventDefault(); go(id); },
  }, name)));
}

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

/** @param {string} chosen */
function setTheme(chosen) {
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark";
}

/** Take run files that are dropped or chosen. @param {RunData[]} runs @param {Parameters<typeof readRun>[1]} known @param {(added: RunData) => void} done */
function takeFiles(runs, known, done) {
  const take = async (/** @type {Iterable<File>} */ files) => {
    for (const file of files) {
      try {
        if (file.size > MOST_BYTES) throw new BadFile("This file is too large for a browser.");
        const read = readRun(await file.text(), known);
        const added = runOf(read, 1);
        giveSamples(added, read.samples);
        const taken = (/** @type {string} */ id) => runs.some((run) => run.id === id);
        const name = added.id;
        for (let n = 2; taken(added.id); n++) added.id = `${name} (${n})`;
        runs.push(added);
        say(`Added run ${visible(added.id)} with ${added.rows.length} rows.`);
        done(added);
      } catch (error) {
        if (!(error instanceof BadFile)) console.error(error);
        say(`${visible(file.name)}: ${error instanceof BadFile ? visible(error.message) : "This file could not be read."}`, true);
      }
    }
  };
  const input = /** @type {HTMLInputElement} */ (byId("add"));
  input.addEventListener("change", async () => { await take([...(input.files ?? [])]); input.value = ""; });
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    void take([...(event.dataTransfer?.files ?? [])]);
  });
}

setTheme(readState(location.hash).theme);
if ("DecompressionStream" in globalThis) {
  unpacked("data").json().then((data) => start(data));
} else {
  say("This browser is too old for this page; one of 2023 or newer shows it.", true);
}
