// Prints the command that the page shows for each row of a run file: node commands.mjs FILE, a JSON list.

import { readFileSync } from "node:fs";
import { commandOf } from "../../page/details.mjs";
import { readRun } from "../../page/load.mjs";
import { runOf } from "../../page/rows.mjs";
import { known } from "./known.mjs";

const run = runOf(readRun(readFileSync(process.argv[2], "utf8"), known), 1);
console.log(JSON.stringify(run.rows.map((row) => [row.id, commandOf(row, run)])));
