// Drives pages in a browser: node drive.mjs PLAN.json, where the plan names the packages, the browser, and files.
// Prints one JSON line for each scenario: its name, and what went wrong. Those of kinds of run are modules that the plan
// names; each exports `scenarios`, a function of the tools below.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const require = createRequire(`${plan.packages}/package.json`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { expected } = plan;

const figure = (text) => text.replace(/[\u2007\u2008]/g, "").replace(/±.*/, "").trim();
const rows = (page) => page.locator("table.results tbody:first-of-type tr");
const names = async (page) => page.locator("table.results tbody:first-of-type button.name").allTextContents();
const cell = async (page, key, column) => figure(await page.locator(`tr[data-row="${key}"] td[data-column="${column}"]`).textContent());
const settle = (page) => page.waitForFunction(() => [...document.querySelectorAll(".chart")].every((c) => c.querySelector("svg") && !c.hasAttribute("aria-busy")));
const hash = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const drop = (page, name, text) => page.evaluate(([fileName, content]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([content], fileName, { type: "application/json" }));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [name, text]);
const message = (page) => page.locator("#message").textContent();

async function audit(page, where) {
  await settle(page);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => [where, id, nodes.slice(0, 3).map((n) => `${n.html} ${n.failureSummary}`)]), []);
}

const answer = async (page) => ({
  about: await page.locator(".answer h2").textContent(),
  subjects: await page.locator(".answer dt").allTextContents(),
  texts: await page.locator(".answer dd").evaluateAll((found) => found.map((dd) => dd.firstChild.textContent)),
});

const scenarios = {
  async "it opens on the answer of the run file, also before the script has run"(page) {
    assert.deepEqual(await answer(page), expected.answer);
    const gains = await page.locator(".answer tbody tr").evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.innerText)));
    assert.ok(expected.gains.length);
    assert.deepEqual(gains, expected.gains);
    assert.ok(await page.locator(".answer").evaluate((section) => section === document.querySelector("main").firstElementChild));
    await page.click(".answer button");
    await page.waitForSelector("#details[open]");
    assert.equal((await hash(page)).row, expected.answerRow);
    await page.keyboard.press("Escape");
    await settle(page); // behind another window a browser draws nothing
    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    for (const name of ["page", "hostile"]) {
      await still.goto(pathToFileURL(plan[name]).href);
      if (name === "page") assert.deepEqual(await answer(still), expected.answer);
      assert.match(await still.locator("#loading").textContent(), /Tables and charts follow/);
    }
    await context.close();
    await page.bringToFront();
    assert.equal(await page.locator("#loading").count(), 0);
  },

  async "the libraries are listed with version, licence, source and notes"(page) {
    await page.click("#tab-libraries");
    const heads = await page.locator(".libraries thead th").allTextContents();
    const lines = await page.locator(".libraries tbody tr").all();
    const shown = Object.fromEntries(await Promise.all(lines.map(async (line) => {
      const [name, ...cells] = await line.locator("th, td").allTextContents();
      return [name, Object.fromEntries(cells.map((cell, n) => [heads[n + 1], cell]))];
    })));
    assert.equal(lines.length, expected.libraries);
    assert.deepEqual(shown.YAJL, expected.library);
    assert.match(shown.CWPack.notes, /^unavailable: no installed copy found/);
    assert.ok(!heads.includes("date"), "a column with nothing in it is not shown");
    assert.equal(await page.locator(".libraries tbody a").first().getAttribute("href"), "https://example.org/yajl");
    assert.equal(await page.locator(".libraries tbody a").count(), 1);
  },

  async "the figures are the run's"(page) {
    await page.selectOption("#choose-test", "tree");
    const inOrder = await rows(page).evaluateAll((found) => found.map((row) => row.getAttribute("data-row")));
    assert.deepEqual(inOrder, expected.rows.map(({ key }) => key));
    for (const row of expected.rows) {
      for (const [column, text] of Object.entries(row.cells)) assert.equal(await cell(page, row.key, column), text, `${row.key} ${column}`);
      assert.equal((await page.locator(`tr[data-row="${row.key}"] td.rank`).textContent()).trim(), row.rank);
    }
    assert.equal(await page.locator("table.missing tbody tr").count(), expected.missing);
    assert.match(await page.locator("main").textContent(), /the library decodes negative numbers wrongly/);
    await page.click("details.remarks summary");
    assert.deepEqual(await page.locator("details.remarks li").allTextContents(), expected.notes);
    assert.ok(await page.locator("details.remarks li").first().isVisible());
  },

  async "filters leave what they say"(page) {
    await page.selectOption("#choose-test", "tree");
    await page.selectOption("#choose-format", "MessagePack");
    const formats = await page.locator("table.results tbody:first-of-type tr td:nth-child(5)").allTextContents();
    assert.ok(formats.length > 2 && formats.every((text) => text === "MessagePack"), formats.join());
    await page.fill("#choose-find", "mpack");
    assert.deepEqual(await names(page), ["MPack", "MPack (tracking)"]);
    await page.click("#clear");
    await page.selectOption("#choose-label", "-distribution build");
    assert.ok(!(await names(page)).some((name) => name.startsWith("YAJL")));
    await page.selectOption("#choose-label", "+distribution build");
    assert.deepEqual(await names(page), ["YAJL (distribution)", "Jansson (distribution)"]);
  },

  async "columns sort both ways, and what is missing stays last"(page) {
    await page.selectOption("#choose-test", "tree");
    for (const sign of [1, -1]) {
      await page.click("#sort-allocations");
      const texts = (await page.locator('table.results tbody:first-of-type td[data-column="allocations"]').allTextContents()).map(figure);
      const numbers = texts.filter((text) => text !== "–").map((text) => Number(text.replaceAll(",", "")));
      assert.ok(numbers.length > 1);
      assert.deepEqual(numbers, [...numbers].sort((a, b) => sign * (a - b)));
      assert.ok(texts.slice(numbers.length).every((text) => text === "–"));
      assert.equal(await page.locator("th:has(#sort-allocations)").getAttribute("aria-sort"), sign > 0 ? "ascending" : "descending");
    }
  },

  async "a reference makes the ratios"(page) {
    await page.selectOption("#choose-test", "tree");
    await page.click(`#ref-0-${expected.reference}`);
    for (const [key, text] of Object.entries(expected.ratios)) assert.equal(await cell(page, key, "ratio"), text, key);
    assert.equal(await page.locator(`#ref-0-${expected.reference}`).getAttribute("aria-pressed"), "true");
  },

  async "hiding the best makes another the best"(page) {
    await page.selectOption("#choose-test", "tree");
    const [, second] = expected.best;
    assert.notEqual(await cell(page, second, "ratio"), "1.00×");
    await page.locator(`tr[data-row="${expected.best[0]}"] button[aria-label$="hide it"]`).click();
    assert.equal(await cell(page, second, "ratio"), "1.00×");
    assert.match(await page.locator(`tr[data-row="${second}"] td[data-column="net"]`).getAttribute("class"), /level0/);
    await page.click(".chip");
    assert.equal(await cell(page, expected.best[0], "ratio"), "1.00×");
  },

  async "an address can be shared, and the back button works"(page) {
    await page.selectOption("#choose-test", "tree");
    await page.selectOption("#choose-metric", "bytes");
    await page.selectOption("#choose-format", "JSON");
    const [url, before] = [page.url(), await names(page)];
    const other = await page.context().newPage();
    await other.goto(url);
    await other.waitForSelector("table.results");
    assert.deepEqual(await names(other), before);
    assert.equal(await other.inputValue("#choose-metric"), "bytes");
    await other.close();
    await page.goBack();
    assert.equal(await page.inputValue("#choose-format"), "");
    await page.goBack();
    assert.equal(await page.inputValue("#choose-metric"), "net");
  },

  async "every metric of the run can be chosen"(page) {
    await page.selectOption("#choose-test", "tree");
    const metrics = await page.locator("#choose-metric option").evaluateAll((options) => options.map((o) => o.value));
    assert.deepEqual(metrics, expected.metrics);
    for (const metric of metrics) {
      await page.selectOption("#choose-metric", metric);
      assert.ok(await rows(page).count() > 0, metric);
      await settle(page);
    }
  },

  async "a row opens with all that is known"(page) {
    await page.selectOption("#choose-test", "tree");
    await page.click(`#open-0-${expected.reference}`);
    const dialog = page.locator("#details");
    await page.waitForSelector("#details[open] .chart svg");
    const text = await dialog.textContent();
    for (const part of [...expected.details]) assert.ok(text.includes(part), part);
    assert.ok((await dialog.locator(".chart svg path").count()) > 20);
    await dialog.locator("dt .explained", { hasText: "Net time" }).focus();
    assert.match(await dialog.locator("#tip:not([hidden])").textContent(), /less what the harness itself does/);
    await page.keyboard.press("Escape");
    // The event that a dialog is closed comes a moment after it is.
    await page.waitForFunction(() => !new URLSearchParams(location.hash.slice(1)).has("row"));
    assert.equal(await page.locator("#details[open]").count(), 0);
  },

  async "a run file is dropped and seen beside the other"(page) {
    await drop(page, "new.json", readFileSync(plan.newer, "utf8"));
    await page.waitForFunction(() => document.querySelector("#message").textContent.startsWith("Added"));
    await page.selectOption("#choose-test", "tree");
    const verdicts = await page.locator("td.verdict").allTextContents();
    assert.equal(verdicts.filter((v) => /faster|slower/.test(v)).length, expected.decided, `${page.url()} ${verdicts.join("; ")}`);
    assert.ok(verdicts.some((v) => v.includes("same program") || v.includes("undecided") || v.includes("no difference")));
    await page.click("#tab-results");
    await page.click("#tab-calculator");
    await page.selectOption("#choose-run", expected.newerId);
    assert.ok(page.url().includes(`run=${expected.newerId}`), page.url());
    await page.click("#tab-results");
    await page.selectOption("#choose-run", "all");
    await page.selectOption("#choose-test", "tree");
    assert.equal(await rows(page).count(), 2 * expected.rows.length);
    await page.selectOption("#choose-run", expected.newerId);
    for (const row of expected.newerRows) {
      for (const [column, text] of Object.entries(row.cells)) assert.equal(await cell(page, row.key, column), text, `${row.key} ${column}`);
    }
    await page.setInputFiles("#add", plan.newer);
    await page.waitForFunction(() => document.querySelector("#message").textContent.includes("(2)"));
  },

  async "what is no good run file gets a clear message"(page) {
    for (const [text, says] of plan.bad) {
      await drop(page, "<b>bad</b>.json", text);
      await page.waitForFunction((wanted) => document.querySelector("#message").textContent.includes(wanted), says);
      assert.ok((await message(page)).startsWith("<b>bad</b>.json: "));
    }
    assert.equal(await page.locator("#message b").count(), 0);
    assert.equal(await page.locator("#message.bad").count(), 1);
    assert.ok(await rows(page).count() > 0);
  },

  async "ten thousand rows are shown"(page) {
    await drop(page, "many.json", readFileSync(plan.many, "utf8"));
    await page.waitForFunction(() => document.querySelector("#message").textContent.startsWith("Added"));
    await page.click("#tab-results");
    await page.selectOption("#choose-run", "10000 rows");
    assert.match(await page.locator("main").textContent(), /10000 without a figure/);
    assert.equal(await page.locator("table.missing tbody tr").count(), 100);
    await page.fill("#choose-find", "row 9999 ");
    await page.locator("table.missing button.name").click();
    await page.waitForSelector("#details[open]");
    assert.ok((await page.locator("#details").textContent()).includes("it crashed </script><script>hacked=1</script>"));
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await page.locator("main img, main script, dialog img, dialog script").count(), 0);
  },

  async "attacks are shown and do nothing"(page) {
    await page.goto(pathToFileURL(plan.hostile).href);
    await page.waitForSelector("table.results");
    for (const tab of ["results", "compare", "calculator", "libraries", "about"]) {
      await page.click(`#tab-${tab}`);
      await settle(page);
    }
    await page.click("#tab-results");
    await page.locator("button.name").first().click();
    await page.waitForSelector("#details[open]");
    assert.ok((await page.locator("#details").textContent()).includes("</script><script>hacked=1</script>"));
    await page.keyboard.press("Escape");
    await page.locator("button.name").last().hover();
    await drop(page, "hostile.json", readFileSync(plan.hostileRun, "utf8"));
    await page.waitForFunction(() => document.querySelector("#message").textContent.startsWith("Added"));
    await settle(page);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await page.locator("main img, main script, dialog img, dialog script").count(), 0);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /[\u202e\x1b]/);
  },

  async "a view can be taken away"(page) {
    await page.selectOption("#choose-test", "tree");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#copy-markdown");
    await page.waitForFunction(() => document.querySelector("#message").textContent.startsWith("Copied"));
    const markdown = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(markdown.trim().split("\n").length, 2 + expected.rows.length + expected.missing);
    assert.doesNotMatch(markdown, /<b>/);
    await page.click("#copy-csv");
    await page.waitForFunction(() => document.querySelector("#message").textContent.includes("CSV"));
    const csv = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(csv.includes(expected.exactNet), "the exact figure");
    assert.ok(csv.split("\n").every((line) => !/^[=+\-@]/.test(line)));
    await settle(page);
    for (const [kind, begin] of [["SVG", "<svg"], ["PNG", "\x89PNG"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`figure button:text-is("${kind}")`).first().click()]);
      const content = readFileSync(await download.path(), "latin1");
      assert.ok(content.startsWith(begin), content.slice(0, 40));
    }
  },

  async "the calculator adds processor and network"(page) {
    await page.click("#tab-calculator");
    await page.selectOption("#choose-does", "tree");
    await page.fill("#choose-link", "8");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => location.hash.includes("link=8"));
    const texts = await page.locator("#costs tbody tr").evaluateAll((all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    const found = texts.find(([name]) => name === expected.cost.name);
    assert.deepEqual(found.slice(2, 6), expected.cost.cells);
    assert.match(await page.locator(".winners").textContent(), /bandwidth|above|below/);
    assert.ok((await page.locator("main").textContent()).includes(`${expected.missing} without a time are not here`));
  },

  async "it can be used by keyboard"(page) {
    await page.focus("#sort-bytes");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "sort-bytes");
    assert.equal(await page.locator("th:has(#sort-bytes)").getAttribute("aria-sort"), "ascending");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await page.waitForSelector("#tip:not([hidden])");
    assert.match(await page.locator("#tip").textContent(), /size of the encoding/);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#tip").isHidden());
  },

  async "nothing sticks out at phone width"(page) {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const tab of ["results", "compare", "calculator", "libraries", "about"]) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, tab);
    }
    // Why a row has no figure is read without scrolling sideways, and the fastest rows' ratios are in sight too.
    await page.click("#tab-results");
    await page.selectOption("#choose-test", "tree");
    const right = async (selector) => (await page.locator(selector).first().boundingBox()).x + (await page.locator(selector).first().boundingBox()).width;
    assert.ok(await right("table.missing td:last-child") <= 390);
    assert.ok(await right('table.results tbody td[data-column="ratio"]') <= 390);
    // Scrolled sideways, a row keeps its name.
    await page.locator(".scroll:has(table.results)").evaluate((scroll) => { scroll.scrollLeft = 300; });
    assert.ok((await page.locator("table.results button.name").first().boundingBox()).x >= 0);
  },

  async "a format has one look in all charts"(page) {
    const looks = async (chart) => Object.fromEntries(await page.locator(`figure:has(h3:text("${chart}")) svg`).evaluate((svg) => {
      const symbols = [...svg.querySelectorAll(".role-legend-symbol path")].map((path) => path.getAttribute("fill"));
      return [...svg.querySelectorAll(".role-legend-label text")].map((text, n) => [text.textContent, symbols[n]]);
    }));
    const seen = {};
    for (const test of ["tree", "write"]) for (const format of ["", "MessagePack", "JSON"]) {
      await page.selectOption("#choose-test", test);
      await page.selectOption("#choose-format", format);
      await settle(page);
      for (const chart of ["Ranking", "Size against"]) for (const [name, colour] of Object.entries(await looks(chart))) {
        assert.equal(seen[name] ??= colour, colour, `${name} in ${chart} of ${test} ${format}`);
        if (format) assert.equal(name, format);
      }
    }
    assert.deepEqual(Object.keys(seen).sort(), ["JSON", "MessagePack"]);
    assert.notEqual(seen.JSON, seen.MessagePack);
  },

  async "counts of microcontrollers have a tab of their own"(page) {
    assert.equal(await page.locator("#tab-embedded").count(), 0);
    await drop(page, "counts.json", readFileSync(plan.counts, "utf8"));
    await page.click("#tab-embedded");
    await settle(page);
    assert.equal(await page.locator("figure").count(), 3 + 2 * 2);
    const first = page.locator("main table").first().locator("tbody tr").first();
    assert.deepEqual(await first.locator("td").allTextContents(), ["1,000 → 700", "−30.0 %", "500 → 200", "−60.0 %", "40 → 30", "−25.0 %"]);
    assert.match(await page.locator("main").textContent(), /Board only: why not\./);
    await page.locator("summary").first().click();
    assert.ok(await page.locator("details[open] table").isVisible());
    await page.locator("main table .explained").first().focus();
    assert.match(await page.locator("#tip:not([hidden])").textContent(), /Decoding a constant input/);
    await audit(page, "embedded");
    await page.selectOption("#choose-platform", "m0");
    assert.deepEqual(await page.locator("h2").allTextContents(), ["Answer for 4 documents, by the libraries that took all", "Run r", "m0: m0"]);
    assert.equal(await page.locator("figure").count(), 2);
    await page.goBack();
    assert.equal(await page.locator("figure").count(), 3 + 2 * 2);
  },

  async "counts of an emulated Linux are a platform to choose"(page) {
    await page.goto(pathToFileURL(plan.emulatedPage).href);
    await page.waitForSelector("table.results");
    const options = () => page.locator("#choose-platform option").allTextContents();
    assert.deepEqual(await options(), ["this machine", "linux-armv6", "linux-arm64"]);
    for (const { name, rows: wanted } of expected.emulated) {
      await page.selectOption("#choose-platform", name);
      await settle(page);
      assert.deepEqual(await names(page), wanted.map((row) => row.name));
      for (const row of wanted) for (const [column, text] of Object.entries(row.cells)) assert.equal(await cell(page, row.key, column), text, `${row.key} ${column}`);
      const heads = (await page.locator("table.results thead th").allTextContents()).map((text) => text.replace(/ [↑↓]/, ""));
      assert.deepEqual(heads, ["contender", "net instructions", "× best", "format", "instructions", "× base", "bytes", "code size", "notes"]);
      assert.deepEqual(await page.locator("#choose-metric option").allTextContents(), ["Net instructions", "Instructions", "Instructions over the baseline's", "Encoded size", "Code size"]);
      const text = await page.locator("main").evaluate((main) => main.innerText);
      assert.match(text, /counts and no times/);
      assert.ok(text.includes(`Counted on ${name}: `), text);
      assert.doesNotMatch(text, /[0-9] ?(ns|µs|ms)\b|few samples|below resolution|MB\/s/);
      assert.ok((await page.locator(".caption").textContent()).includes("Of all rows: all have it."));
      assert.ok(!(await page.locator("table.results").textContent()).includes("all have it"));
      assert.equal(await page.locator("table.missing tbody tr").count(), 2);
    }
    await page.selectOption("#choose-metric", "code");
    assert.deepEqual(await names(page), ["Small", "Large"]);
    await page.click(`tr[data-row="${expected.emulated[1].rows[0].key}"] button.name`);
    await page.waitForSelector("#details[open]");
    assert.equal(await page.locator("#command").textContent(), "./serbench count --platform linux-arm64 --tests tree --contenders c/large --datasets generated:2 --profile size");
    assert.equal(await page.locator("#details .chart").count(), 0);
    await audit(page, "emulated details");
    await page.click("#close-details");
    await audit(page, "emulated");
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.selectOption("#choose-platform", "this machine");
    assert.ok((await names(page)).includes("MPack"));
    await page.selectOption("#choose-run", "all");
    assert.deepEqual(await options(), ["this machine", "linux-armv6", "linux-arm64"]);
    await page.click("#tab-calculator");
    assert.ok(!(await page.locator("#costs").textContent()).includes("Large"));
    assert.equal(await page.locator("#tab-embedded").count(), 0);
  },

  async "a run of an emulated Linux stands alone, or is dropped"(page) {
    await drop(page, "emulated.json", readFileSync(plan.emulated, "utf8"));
    await page.waitForFunction(() => document.querySelector("#message").textContent.startsWith("Added"));
    assert.equal(await page.locator("#tabs [aria-current]").textContent(), "Results");
    assert.deepEqual(await names(page), expected.emulated[0].rows.map((row) => row.name));
    await page.click("#tab-compare");
    assert.match(await page.locator("main").textContent(), /No row is in both.*has no time to compare/);
    await page.goto(pathToFileURL(plan.emulatedAlone).href);
    await page.waitForSelector("table.results");
    assert.deepEqual(await page.locator("#tabs a").allTextContents(), ["Results", "Libraries", "About"]);
    assert.deepEqual(await names(page), expected.emulated[0].rows.map((row) => row.name));
    await page.click("#tab-about");
    const text = await page.locator("main").textContent();
    assert.ok(text.includes("linux-armv6: ARMv6 Linux") && !text.includes("Precision"));
  },

  async "a machine is chosen, and what holds on all of them is told"(page) {
    assert.equal(await page.locator("#tab-orders").count(), 0);
    await page.goto(pathToFileURL(plan.machinesPage).href);
    await page.waitForSelector("table.results");
    const chooser = page.locator("label:has(#choose-run)");
    assert.match(await chooser.textContent(), /^machineone · Example CPU 3000, 2 cores, .*two · Example CPU 3000/);
    assert.deepEqual(await names(page), ["A", "B", "C", "D"]);
    await page.selectOption("#choose-run", "run-two");
    await page.waitForFunction(() => document.querySelector("table.results tbody tr:nth-child(4) button.name").textContent === "B");
    await page.click("#tab-orders");
    assert.match(await page.locator("main").textContent(), /6 pairs of rows; reversed: 2, on some: 0, on all: 3, undecided: 1\. /);
    const table = page.locator("section[aria-label=Orders] tbody tr");
    assert.deepEqual(await table.locator("th, td:not(:empty)").allTextContents(), ["B", "C", "reversed", "one", "two", "B", "D", "reversed", "one", "two"]);
    await audit(page, "machines");
  },

  async "charts take new data where they stand"(page) {
    await page.selectOption("#choose-test", "tree");
    await settle(page);
    const mark = () => page.evaluate(() => { document.querySelectorAll("#main .chart svg").forEach((svg) => { svg.dataset.old = "1"; }); });
    const labels = async () => (await page.locator("figure").first().locator(".chart svg text").allTextContents()).join(" ");
    await mark();
    await page.selectOption("#choose-format", "MessagePack");
    await settle(page);
    assert.equal(await page.locator("figure").first().locator("svg[data-old]").count(), 1); // the other's scale changes its kind
    assert.ok((await labels()).includes("MPack (tracking)") && !(await labels()).includes("YAJL"), await labels());
    const fresh = await page.context().newPage();
    await fresh.goto(page.url());
    await fresh.waitForSelector("table.results");
    await settle(fresh);
    // The same picture, whatever stood there before.
    const pictures = (of) => of.locator(".chart svg").evaluateAll((all) => all.map((svg) => [svg.getAttribute("viewBox"), [...svg.querySelectorAll("text, path")].map((e) => [e.textContent, e.getAttribute("d"), e.getAttribute("transform")])]));
    assert.deepEqual(await pictures(page), await pictures(fresh));
    await fresh.close();
    await page.locator(".chart .mark-rect path").last().click(); // the first may be below resolution, without a width
    await page.waitForSelector("#details[open]");
    assert.match(await page.locator("#details-title").textContent(), /MPack|msgpack/);
    await page.click("#close-details");
    await mark();
    await page.click("#theme");
    await page.waitForFunction(() => !document.querySelector("#main .chart svg[data-old]"));
  },

  async "it is accessible"(page) {
    await page.selectOption("#choose-test", "tree");
    for (const theme of ["light", "dark"]) {
      for (const tab of ["results", "calculator", "libraries", "about"]) {
        await page.click(`#tab-${tab}`);
        await audit(page, `${tab} ${theme}`);
      }
      await page.click("#tab-results");
      await page.click(`#ref-0-${expected.reference}`);
      await page.click(`#open-0-${expected.reference}`);
      await page.waitForSelector("#details[open] .chart svg");
      await audit(page, `details ${theme}`);
      await page.click("#close-details");
      if (theme === "light") await page.click("#theme");
    }
    await drop(page, "new.json", readFileSync(plan.newer, "utf8"));
    await page.waitForSelector("td.verdict");
    await audit(page, "compare dark");
  },

  async "what is found out of libraries has tables, in which one moves with arrows"(page) {
    await page.click("#tab-libraries");
    assert.equal(await page.locator("table.probes").count(), 0);
    await drop(page, "probed.json", readFileSync(plan.probed, "utf8"));
    await page.click("#tab-libraries");
    await page.waitForSelector("table.probes");
    assert.equal(await page.locator("main > section").first().getAttribute("class"), "libraries");
    // One Tab leads into a table, arrows from figure to figure.
    const tip = () => page.locator("#tip:not([hidden])").textContent();
    await page.locator("table.probes td[tabindex='0']").first().focus();
    const first = await tip();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await tip(), first);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await tip(), first);
    const tables = await page.locator("table.probes:has(td[data-tip])").count();
    assert.equal(await page.locator("table.probes td[tabindex='0']").count(), tables);
    await audit(page, "libraries");
    await page.goto(pathToFileURL(plan.probedPage).href);
    await page.waitForSelector("table.probes");
    assert.equal(await page.locator("#tab-results").count(), 0);
  },

  async "it prints"(page) {
    await page.click("#theme");
    const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
    assert.equal(await ink(), "rgb(232, 235, 238)");
    await page.emulateMedia({ media: "print" });
    assert.equal(await ink(), "rgb(28, 32, 36)");
    assert.ok(await page.locator(".controls").isHidden());
    assert.ok(await page.locator("table.results").isVisible());
  },
};

/** Checks the sections under a heading in a page that was given the run of probes, and in one that was made of it. */
const probed = async (page, heading, check) => {
  await drop(page, "probed.json", readFileSync(plan.probed, "utf8"));
  await page.click("#tab-libraries");
  for (const address of [null, pathToFileURL(plan.probedPage).href]) {
    if (address) await page.goto(address);
    await page.waitForSelector("table.probes");
    await check(page.locator(`section:has-text('${heading}')`));
  }
};
const tools = { assert, audit, drop, plan, probed };
for (const file of plan.scenarios) Object.assign(scenarios, (await import(pathToFileURL(file).href)).scenarios(tools));

const browser = await chromium.launch({
  executablePath: plan.chromium,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
for (const [name, run] of Object.entries(scenarios)) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, colorScheme: "light" });
  context.setDefaultTimeout(600_000); // for what never comes
  const noise = [];
  const watch = (page) => {
    page.on("console", (said) => noise.push(`console: ${said.text()}`));
    page.on("pageerror", (error) => noise.push(`error: ${error.stack}`));
    page.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) noise.push(`request: ${request.url()}`); });
  };
  context.on("page", watch);
  let problem = null;
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(plan.page).href);
    await page.waitForSelector("table.results");
    await run(page);
    await settle(page);
  } catch (error) {
    problem = error.stack;
  }
  if (!problem && noise.length) problem = `the page was not silent: ${noise.join("\n")}`;
  console.log(JSON.stringify({ name, problem }));
  await context.close();
}
await browser.close();
