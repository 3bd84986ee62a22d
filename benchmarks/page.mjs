// Times a page in a browser; started by page.py.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${plan.packages}/package.json`)("playwright-core");
const TIMES = 5;

/** What the page's own thread has worked, in ms: it says on a busy machine too what a page costs. */
const worked = async (session) => {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
};
/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const charted = () => {
  const charts = [...document.querySelectorAll(".chart")];
  return charts.length > 1 && charts.every((chart) => chart.querySelector("svg") && !chart.hasAttribute("aria-busy"));
};

const browser = await chromium.launch({
  executablePath: plan.chromium,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** @type {number[][]} */
const openings = [];
let page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
let session;
/** @param {string} name @param {number[][]} times until the table stands, until the charts do, and of the processor */
const say = (name, times) => {
  const [table, charts, processor] = [0, 1, 2].map((n) => median(times.map((one) => one[n])).toFixed(0));
  console.log(`${name}: table ${table} ms, charts ${charts} ms; ${processor} ms of a processor`);
};
for (let n = 0; n < TIMES; n++) {
  await page.close();
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await worked(session);
  const began = performance.now();
  await page.goto(pathToFileURL(plan.page).href);
  await page.waitForSelector("table.results tr");
  const shown = performance.now() - began;
  await page.waitForFunction(charted);
  openings.push([shown, performance.now() - began, (await worked(session)) - before]);
}
say("open", openings);

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
    const before = await worked(session);
    const waited = await page.evaluate(async ([act, isCharted, number]) => {
      const began = performance.now();
      act(number);
      document.body.getBoundingClientRect(); // lays out
      const table = performance.now() - began;
      while (!isCharted()) await new Promise((done) => setTimeout(done, 5));
      return [table, performance.now() - began];
    }, [handle, ready, n]);
    times.push([...waited, (await worked(session)) - before]);
  }
  say(name, times);
}
await browser.close();
