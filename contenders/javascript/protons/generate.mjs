/** Makes the library's code from the schemas, and plain JavaScript of that. */
import { readFileSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { generate } from "protons";

const [, , folder] = process.argv;
for (const [name, path] of [
  ["records", "records/records"],
  ["messages", "probe/probe"],
]) {
  await generate(`${folder}/schemas/${path}.proto`, { output: folder });
  const typed = readFileSync(`${folder}/${path.split("/")[1]}.ts`, "utf8");
  writeFileSync(`${folder}/${name}.mjs`, transformSync(typed, { loader: "ts" }).code);
}
