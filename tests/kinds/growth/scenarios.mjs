// What the page shows of growth, for tests/page/drive.mjs.

import { readFileSync } from "node:fs";

export const scenarios = ({ assert, audit, drop, plan }) => ({
  async "growth is where a run has grown"(page) {
    assert.equal(await page.locator("#tab-growth").count(), 0);
    await drop(page, "growing.json", readFileSync(plan.growing, "utf8"));
    await page.waitForSelector("#tab-growth");
    await page.click("#tab-growth");
    assert.deepEqual(await page.locator("h2").allTextContents(), plan.growth.map(({ title }) => `growing: ${title}`));
    for (const [n, { table, lists }] of plan.growth.entries()) {
      assert.deepEqual(await page.locator("main > section").nth(n).locator(".remarks li").allTextContents(), lists);
      const lines = await page.locator("table.growth").nth(n).locator("tbody tr").all();
      const shown = await Promise.all(lines.map((line) => line.locator("th, td").allTextContents()));
      // The last digit may differ: Python and the browser round 0.155 to another side.
      const close = (/** @type {string} */ a, /** @type {string} */ b) => a === b || (a.endsWith("*") === b.endsWith("*") && Math.abs(Number.parseFloat(a) - Number.parseFloat(b)) < 0.011);
      assert.deepEqual(shown.map(([name]) => name), table.map(([name]) => name));
      for (const [at, line] of shown.entries()) assert.ok(line.slice(1).every((text, i) => close(text, table[at][i + 1])), `${line} ${table[at]}`);
    }
    assert.equal(await page.getByText("marks ratios of raw times").count(), 1);
    assert.equal(await page.locator(".chart").count(), 2 * 2 * 2);
    await audit(page, "growth");
  },
});
