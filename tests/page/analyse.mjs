// Prints the rows that the page shows of run files: node analyse.mjs FILE..., one JSON line each; of two the comparison too.

import { readFileSync } from "node:fs";
import { compareRuns } from "../../page/comparison.mjs";
import { readRun } from "../../page/load.mjs";
import { giveSamples, runOf } from "../../page/rows.mjs";
import { known } from "./known.mjs";

const runs = process.argv.slice(2).map((file) => {
  const read = readRun(readFileSync(file, "utf8"), known);
  const run = runOf(read, 1);
  giveSamples(run, read.samples);
  return run;
});
for (const run of runs) console.log(JSON.stringify(run));
if (runs.length === 2) console.log(JSON.stringify(compareRuns(runs[0], runs[1], 0.03)));
