// Prints what the page makes of run files: node analyse.mjs SOURCES FILE..., one JSON line each; of two the comparison too.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [sources, ...files] = process.argv.slice(2);
/** @param {string} name */
const module = (name) => import(pathToFileURL(`${sources}/${name}`).href);
const { analyse } = await module("analysis.mjs");
const { readRun } = await module("load.mjs");
const runs = files.map((file) => analyse(readRun(readFileSync(file, "utf8"), 1)));
for (const run of runs) console.log(JSON.stringify(run));
if (runs.length === 2) {
  const { compareRuns } = await module("comparison.mjs");
  console.log(JSON.stringify(compareRuns(runs[0], runs[1], 0.03)));
}
