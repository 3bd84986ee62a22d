// Prints what charts make of run files: node names.mjs SOURCES FILE..., a JSON list of their formats, and one of each file's names.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [sources, ...files] = process.argv.slice(2);
/** @param {string} name */
const module = (name) => import(pathToFileURL(`${sources}/${name}`).href);
const { analyse } = await module("analysis.mjs");
const { readRun } = await module("load.mjs");
const { allFormats, namesIn } = await module("naming.mjs");
const runs = files.map((file) => analyse(readRun(readFileSync(file, "utf8"), 1)));
console.log(JSON.stringify([allFormats(runs), runs.map((run) => namesIn(run.rows))]));
