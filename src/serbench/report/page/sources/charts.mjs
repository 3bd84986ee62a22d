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
 * @property {Values[]} rows
 * @property {Values} [signals] @property {Record<string, Values[]>} [data] further data
 * @property {(spec: any) => void} [change] what depends on the data, such as a scale's type
 * @property {(key: string) => void} [click]
 */

/** Of a legend's columns, with what stands beside the plot; and the width below which charts leave things out. */
const [COLUMN, SMALL] = [230, 480];

/** The shared specifications and themes, set once from the page's data. @type {{charts: Values, themes: Values}} */
const shared = { charts: {}, themes: {} };

/** @param {Values} charts @param {Values} themes */
export function useCharts(charts, themes) {
  Object.assign(shared, { charts, themes });
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

/** What finalizes the view in an element. @type {WeakMap<Element, () => void>} */
const drawn = new WeakMap();

/**
 * A figure with a chart, which is drawn when the page has had time to show everything else.
 * @param {Chart} chart @returns {HTMLElement}
 */
export function figure(chart) {
  const place = h("div", { class: "chart", role: "img", "aria-label": `${chart.title}. The same figures are in the table.` });
  const buttons = ["svg", "png"].map((kind) => h("button", {
    type: "button", class: "quiet", "aria-label": `Save the chart ${chart.title} as ${kind.toUpperCase()}`,
    click: () => save(chart, kind),
  }, kind.toUpperCase()));
  const made = h("figure", {},
    h("div", { class: "figure-head" }, h("h3", {}, chart.title), h("span", { class: "buttons" }, "Save ", buttons)),
    place,
    h("figcaption", { class: "faint" }, chart.says));
  requestAnimationFrame(() => setTimeout(() => draw(place, chart), 0));
  return made;
}

/** @param {HTMLElement} place @param {Chart} chart */
async function draw(place, chart) {
  if (!place.isConnected || !place.clientWidth) return;
  drawn.get(place)?.();
  const result = await embed(place, specOf(chart, place.clientWidth), theme());
  place.querySelector("svg")?.setAttribute("aria-hidden", "true");
  drawn.set(place, () => result.finalize());
  if (chart.click) {
    result.view.addEventListener("click", (/** @type {any} */ _event, /** @type {any} */ item) => {
      const key = item?.datum?.key;
      if (key !== undefined) chart.click?.(key);
    });
  }
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
