// What the page shows of limits, for tests/page/drive.mjs.

export const scenarios = ({ assert, probed }) => ({
  async "how large a document libraries take has a table"(page) {
    await probed(page, "Payload limit", async (section) => {
      assert.deepEqual(await section.locator("table.probes tbody td").allTextContents(), ["messagepack", "16.3", "325,964", "out of heap", "< 0.1", "–", "limited by the input (no input)"]);
    });
  },
});
