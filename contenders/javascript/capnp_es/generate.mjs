/** Makes the library's code from the schema of the data, by its plugin of capnp, and plain JavaScript of that. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const [, , folder] = process.argv;
const cwd = `${folder}/schemas`;
const plugin = fileURLToPath(
  new URL("../node_modules/capnp-es/dist/compiler/capnpc-ts.mjs", import.meta.url),
);
const input = execFileSync("capnp", ["compile", "-o-", "data.capnp"], { cwd });
execFileSync(process.execPath, [plugin], { cwd, input });
buildSync({
  entryPoints: [`${cwd}/tables.mjs`],
  outfile: `${folder}/tables.mjs`,
  bundle: true,
  format: "esm",
  packages: "external",
});
