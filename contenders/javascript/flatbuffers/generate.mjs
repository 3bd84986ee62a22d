/** Makes the library's code from the schema, and plain JavaScript of that. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";

const [, , folder] = process.argv;
execFileSync("flatc", ["--ts", "--gen-object-api", "-o", folder, `${folder}/schemas/records/records.fbs`]);
buildSync({
  stdin: { contents: 'export * from "./items"; export * from "./item";', resolveDir: folder, loader: "ts" },
  outfile: `${folder}/records.mjs`,
  bundle: true,
  format: "esm",
  packages: "external",
});
