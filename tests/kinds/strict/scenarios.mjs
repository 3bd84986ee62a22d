// What the page shows of strict, for tests/page/drive.mjs.

export const scenarios = ({ assert, probed }) => ({
  async "what readers take and refuse has a table"(page) {
    await probed(page, "Strictness", async (section) => {
      assert.deepEqual(await section.locator("table.probes tbody td").allTextContents(), ["messagepack", "numbers 1", "", "", "UTF-8 1", "truncation 1", "1,200 tried, 34 taken, hang 3"]);
    });
  },
});
