/** Makes the library's code from the schema, and plain JavaScript of that. */
import { readFileSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { generate } from "protons";

const [, , folder] = process.argv;
await generate(`${folder}/schemas/records/records.proto`, { output: folder });
const { code } = transformSync(readFileSync(`${folder}/records.ts`, "utf8"), { loader: "ts" });
writeFileSync(`${folder}/records.mjs`, code);
