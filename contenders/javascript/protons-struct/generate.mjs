/** Makes the library's code from the schema of the data, and plain JavaScript of that. */
import { readFileSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { generate } from "protons";

const [, , folder] = process.argv;
await generate(`${folder}/schemas/document.proto`, { output: folder });
const typed = readFileSync(`${folder}/document.ts`, "utf8");
writeFileSync(`${folder}/messages.mjs`, transformSync(typed, { loader: "ts" }).code);
