// Prints the command that the page shows for each row of a run file: node commands.mjs SOURCES FILE, a JSON list.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [sources, file] = process.argv.slice(2);
/** @param {string} name */
const module = (name) => import(pathToFileURL(`${sources}/${name}`).href);
const { analyse } = await module("analysis.mjs");
const { readRun } = await module("load.mjs");
const { commandOf } = await module("details.mjs");
const run = analyse(readRun(readFileSync(file, "utf8"), 1));
console.log(JSON.stringify(run.rows.map((/** @type {any} */ row) => [row.id, commandOf(row, run)])));
