// Opens the pages of a site in a browser: node drive.mjs PLAN.json. Prints a JSON line for each page, width and what is wrong.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const require = createRequire(`${plan.packages}/package.json`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [390, 1280];

const browser = await chromium.launch({ executablePath: plan.chromium, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
for (const width of WIDTHS) {
  const context = await browser.newContext({ viewport: { width, height: 844 }, bypassCSP: false });
  context.setDefaultTimeout(600_000); // for what never comes
  for (const name of plan.pages) {
    const page = await context.newPage();
    const wrong = [];
    page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) wrong.push(`it asks for ${request.url()}`); });
    page.on("console", (message) => { if (message.type() === "error") wrong.push(message.text()); });
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(pathToFileURL(`${plan.site}/${name}`).href);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) wrong.push(`it is ${overflow} pixels too wide`);
    const broken = await page.evaluate(() => [...document.images].filter((image) => !image.complete || image.naturalWidth === 0).length);
    if (broken > 0) wrong.push(`${broken} pictures are not shown`);
    if (await page.evaluate(() => "hacked" in globalThis)) wrong.push("a text became a script");
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, nodes } of violations) wrong.push(`${id}: ${nodes.slice(0, 2).map((node) => node.html).join(" ")}`);
    if (plan.shots) await page.screenshot({ path: `${plan.shots}/${name.replaceAll("/", "-")}-${width}.png`, fullPage: true });
    console.log(JSON.stringify({ name, width, wrong }));
    await page.close();
  }
  await context.close();
}
await browser.close();
