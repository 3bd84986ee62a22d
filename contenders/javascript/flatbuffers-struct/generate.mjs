/** Makes plain JavaScript of the tables' code, which flatc wrote, and of what fills and hashes them. */
import { buildSync } from "esbuild";

const [, , folder] = process.argv;
buildSync({
  entryPoints: [`${folder}/schemas/tables.mjs`],
  outfile: `${folder}/tables.mjs`,
  bundle: true,
  format: "esm",
  packages: "external",
});
