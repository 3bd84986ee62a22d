// Prints what charts make of run files: node names.mjs FILE..., a JSON list of their formats, one of each file's names, and one of their keys.

import { readFileSync } from "node:fs";
import { readRun } from "../../page/load.mjs";
import { allFormats, namesIn } from "../../page/naming.mjs";
import { runOf } from "../../page/rows.mjs";
import { keyOf } from "../../page/view.mjs";
import { known } from "./known.mjs";

const runs = process.argv.slice(2).map((file) => runOf(readRun(readFileSync(file, "utf8"), known), 1));
console.log(JSON.stringify([allFormats(runs), runs.map((run) => namesIn(run.rows)), runs.map((run) => run.rows.map(keyOf))]));
