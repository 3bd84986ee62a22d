// Times a page in a browser; started by page.py.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${plan.packages}/package.json`)("playwright-core");
const TIMES = 5;

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const charted = () => [...document.querySelectorAll(".chart")].length > 1 && [...document.querySelectorAll(".chart")].every((c) => c.querySelector("svg"));

const browser = await chromium.launch({
  executablePath: plan.chromium,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** @type {number[][]} */
const openings = [];
let page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
for (let n = 0; n < TIMES; n++) {
  await page.close();
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const began = performance.now();
  await page.goto(pathToFileURL(plan.page).href);
  await page.waitForSelector("table.results tr");
  const shown = performance.now() - began;
  await page.waitForFunction(charted);
  openings.push([shown, performance.now() - began]);
}
console.log(`open: table ${median(openings.map(([t]) => t)).toFixed(0)} ms, charts ${median(openings.map(([, t]) => t)).toFixed(0)} ms`);

/** Times an action in the page itself: until the table stands and was laid out, until the charts are drawn. */
const interactions = {
  filter: (n) => { const s = document.querySelector("#choose-format"); s.selectedIndex = 1 + (n % 4); s.dispatchEvent(new Event("change")); },
  metric: (n) => { const s = document.querySelector("#choose-metric"); s.selectedIndex = n % 5; s.dispatchEvent(new Event("change")); },
  dataset: (n) => { const s = document.querySelector("#choose-dataset"); s.selectedIndex = n % 25; s.dispatchEvent(new Event("change")); },
  sort: () => document.querySelector("#sort-bytes").click(),
  reference: (n) => document.querySelectorAll("[id^=ref-]")[n].click(),
  find: (n) => { const f = document.querySelector("#choose-find"); f.value = n % 2 ? "" : "Library 1"; f.dispatchEvent(new Event("input")); },
};
for (const [name, action] of Object.entries(interactions)) {
  const times = [];
  for (let n = 1; n <= TIMES; n++) {
    const handle = await page.evaluateHandle(`(${action})`);
    const ready = await page.evaluateHandle(`(${charted})`);
    times.push(await page.evaluate(async ([act, isCharted, number]) => {
      const began = performance.now();
      act(number);
      document.body.getBoundingClientRect(); // lays out
      const table = performance.now() - began;
      while (!isCharted()) await new Promise((done) => setTimeout(done, 5));
      return [table, performance.now() - began];
    }, [handle, ready, n]));
  }
  console.log(`${name}: table ${median(times.map(([t]) => t)).toFixed(0)} ms, charts ${median(times.map(([, t]) => t)).toFixed(0)} ms`);
}
await browser.close();
