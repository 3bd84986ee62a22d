// What the page shows of fidelity, for tests/page/drive.mjs.

export const scenarios = ({ assert, probed }) => ({
  async "what libraries change has a table"(page) {
    await probed(page, "Fidelity", async (section) => {
      const cells = await section.locator("table.probes tbody tr").first().locator("td").allTextContents();
      assert.deepEqual(cells, ["MessagePack", "items[], root: own extra", "·", "≈ a Long", "→ 0", "refused", "sets a prototype", "refused · read → 7"]);
      assert.match(await page.locator("main").textContent(), /unavailable: not here/);
      const other = await page.locator("section:has-text('Fidelity'):has-text('python') table.probes td").allTextContents();
      assert.deepEqual(other, ["JSON", "nothing", "→ None"]);
    });
  },
});
