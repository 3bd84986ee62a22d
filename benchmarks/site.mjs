// Times how long a page without scripts takes to open; started by site.py.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${plan.packages}/package.json`)("playwright-core");
const TIMES = 5;

const browser = await chromium.launch({ executablePath: plan.chromium, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const times = [];
for (let n = 0; n < TIMES; n++) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const began = performance.now();
  await page.goto(pathToFileURL(plan.page).href, { waitUntil: "load" });
  await page.evaluate(() => document.body.getBoundingClientRect());
  times.push(performance.now() - began);
  await page.close();
}
await browser.close();
console.log(`open: ${times.sort((a, b) => a - b)[TIMES >> 1].toFixed(0)} ms`);
