// Prints what charts make of run files: node names.mjs FILE..., a JSON list of their formats, and one of each file's names.

import { readFileSync } from "node:fs";
import { readRun } from "../../page/load.mjs";
import { allFormats, namesIn } from "../../page/naming.mjs";
import { runOf } from "../../page/rows.mjs";

const runs = process.argv.slice(2).map((file) => runOf(readRun(readFileSync(file, "utf8"), { schema: 99, summary: 1 }), 1));
console.log(JSON.stringify([allFormats(runs), runs.map((run) => namesIn(run.rows))]));
