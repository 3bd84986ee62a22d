// Charts: Vega draws the specifications of charts/*.json, which plots.py draws too.

import { byId, h, placeTip } from "./dom.mjs";
import { download } from "./share.mjs";
import { visible } from "./text.mjs";

/** @typedef {Record<string, any>} Values */
/**
 * @typedef {object} Chart
 * @property {string} name of the specification
 * @property {string} title
 * @property {string} says the caption below it
 * @property {string} [spoken] what it shows, where no table has the same
 * @property {Values[]} rows
 * @property {Values} [signals] @property {Record<string, Values[]>} [data] further data
 * @property {(spec: any) => void} [change] what depends on the data, such as a scale's type
 * @property {(key: string) => void} [click]
 */

/** Of a legend's columns, with what stands beside the plot; and the width below which charts leave things out. */
const [COLUMN, SMALL] = [230, 480];

/**
 * The shared specifications and themes, and what makes `vegaEmbed` be there; set once from the page's data.
 * @type {{charts: Values, themes: Values, library: () => Promise<void>}}
 */
const shared = { charts: {}, themes: {}, library: async () => {} };

/** @param {Values} charts @param {Values} themes @param {() => Promise<void>} library */
export function useCharts(charts, themes, library) {
  Object.assign(shared, { charts, themes, library });
}

/** @param {Chart} chart @param {number} width @returns {any} */
function specOf(chart, width) {
  const spec = structuredClone(shared.charts[chart.name]);
  spec.width = width;
  if (spec.usermeta?.step) spec.height = spec.usermeta.extra + spec.usermeta.step * Math.max(1, chart.rows.length);
  for (const data of spec.data) {
    if (data.name === "rows") data.values = chart.rows;
    else if (chart.data && Object.hasOwn(chart.data, data.name)) data.values = chart.data[data.name];
  }
  const signals = { columns: Math.max(1, Math.floor(width / COLUMN)), small: width < SMALL, ...chart.signals };
  for (const signal of spec.signals) {
    if (Object.hasOwn(signals, signal.name)) signal.value = /** @type {Values} */ (signals)[signal.name];
  }
  chart.change?.(spec);
  return spec;
}

/** @returns {"light" | "dark"} */
function theme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/**
 * A place with a chart in it. `like` is everything of its specification that Vega cannot change in a view.
 * @typedef {{chart: Chart, like: string, spec: any, view: any, finalize: () => void}} Standing
 */
/** @type {WeakMap<Element, Standing>} */
const standing = new WeakMap();
/** Places of charts that are no longer shown, by the chart's name, for the next of that name. @type {Map<string, HTMLElement[]>} */
const free = new Map();
/** Places that wait to be drawn, and what is to be in them. @type {Map<HTMLElement, Chart>} */
const waiting = new Map();
let working = false;

/** Let the charts in `host`, which is about to be drawn anew, be used again: new data cost less than a new chart. @param {Element} host */
export function freeCharts(host) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".chart"))) {
    waiting.delete(place);
    const name = standing.get(place)?.chart.name;
    if (name) free.set(name, [...(free.get(name) ?? []), place]);
  }
}

/**
 * A figure with a chart, which is drawn when the page has had time to show everything else.
 * @param {Chart} chart @returns {HTMLElement}
 */
export function figure(chart) {
  const place = free.get(chart.name)?.shift() ?? h("div", { class: "chart", role: "img" });
  place.setAttribute("aria-label", `${chart.title}. ${chart.spoken ?? "The same figures are in the table."}`);
  const buttons = ["svg", "png"].map((kind) => h("button", {
    type: "button", class: "quiet", "aria-label": `Save the chart ${chart.title} as ${kind.toUpperCase()}`,
    click: () => save(chart, kind),
  }, kind.toUpperCase()));
  const made = h("figure", {},
    h("div", { class: "figure-head" }, h("h3", {}, chart.title), h("span", { class: "buttons" }, "Save ", buttons)),
    place,
    h("figcaption", { class: "faint" }, chart.says));
  place.setAttribute("aria-busy", "true");
  waiting.set(place, chart);
  requestAnimationFrame(() => setTimeout(work, 0));
  return made;
}

/** Draw what waits, one chart at a time, those in sight first; whoever chooses something in between is served first. */
async function work() {
  if (working) return;
  working = true;
  try {
    await shared.library();
    while (waiting.size) {
      const inSight = [...waiting.keys()].find((place) => place.getBoundingClientRect().top < innerHeight);
      const place = inSight ?? [...waiting.keys()][0];
      const chart = /** @type {Chart} */ (waiting.get(place));
      waiting.delete(place);
      if (place.isConnected && place.clientWidth) await draw(place, chart).catch((error) => console.error(error));
      if (!waiting.has(place)) place.removeAttribute("aria-busy");
      await new Promise((done) => setTimeout(done, 0));
    }
  } finally {
    working = false;
  }
}

/** @param {HTMLElement} place @param {Chart} chart */
async function draw(place, chart) {
  const spec = specOf(chart, place.clientWidth);
  const like = likeOf(spec, chart);
  const known = standing.get(place);
  if (known?.like === like) {
    await update(known, spec, chart);
    return;
  }
  known?.finalize();
  const result = await embed(place, spec, theme());
  place.querySelector("svg")?.setAttribute("aria-hidden", "true");
  const made = { chart, like, spec, view: result.view, finalize: () => result.finalize() };
  standing.set(place, made);
  result.view.addEventListener("click", (/** @type {any} */ _event, /** @type {any} */ item) => {
    const key = item?.datum?.key;
    if (key !== undefined) made.chart.click?.(key);
  });
}

/** The names of the data and signals of a chart that can change. @param {Chart} chart */
function changing(chart) {
  return { data: ["rows", ...Object.keys(chart.data ?? {})], signals: ["columns", "small", ...Object.keys(chart.signals ?? {})] };
}

/** What a view cannot change, as text. @param {any} spec @param {Chart} chart */
function likeOf(spec, chart) {
  const { data, signals } = changing(chart);
  const without = (/** @type {any[]} */ parts, /** @type {string[]} */ names, /** @type {string} */ field) =>
    parts.map((part) => (names.includes(part.name) ? { ...part, [field]: null } : part));
  return theme() + JSON.stringify({
    ...spec, width: 0, height: 0, data: without(spec.data, data, "values"), signals: without(spec.signals, signals, "value"),
  });
}

/** Give a view that stands other data, signals and another size. @param {Standing} known @param {any} spec @param {Chart} chart */
async function update(known, spec, chart) {
  const { view } = known;
  const { data, signals } = changing(chart);
  for (const { name, values } of spec.data) if (data.includes(name)) view.data(name, values);
  for (const { name, value } of spec.signals) if (signals.includes(name)) view.signal(name, value);
  if (spec.width !== known.spec.width) view.width(spec.width);
  if (spec.height !== known.spec.height) view.height(spec.height);
  Object.assign(known, { chart, spec });
  await view.resize().runAsync();
}

/** @param {HTMLElement} place @param {any} spec @param {string} name @returns {Promise<any>} */
function embed(place, spec, name) {
  // Interpreting its expressions (ast) needs no `eval`, which the page's policy forbids.
  return /** @type {any} */ (globalThis).vegaEmbed(place, spec, {
    mode: "vega", ast: true, actions: false, defaultStyle: false, hover: true, renderer: "svg", config: shared.themes[name],
    tooltip: (/** @type {any} */ _handler, /** @type {MouseEvent} */ event, /** @type {any} */ _item, /** @type {any} */ value) => {
      if (value === null || value === undefined || value === "") byId("tip").hidden = true;
      else placeTip(visible(value), event.clientX + 12, event.clientY + 14);
    },
  });
}

/** Save a chart for a document: always light, on white. @param {Chart} chart @param {string} kind */
async function save(chart, kind) {
  const place = h("div", { class: "unseen" });
  document.body.append(place);
  await shared.library();
  const spec = specOf(chart, 720);
  spec.background = "white";
  spec.title = { text: visible(chart.title), anchor: "start", offset: 14 };
  const result = await embed(place, spec, "light");
  const name = chart.title.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
  if (kind === "svg") {
    download(`${name}.svg`, "image/svg+xml", await result.view.toSVG());
  } else {
    const canvas = await result.view.toCanvas(2);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    download(`${name}.png`, "image/png", /** @type {Blob} */ (blob));
  }
  result.finalize();
  place.remove();
}
