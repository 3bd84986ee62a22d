/** Makes the library's code from the schemas, with the flatc of the set-up or the system's, and plain JavaScript of that. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";

const [, , folder, part] = process.argv;
const flatc = part ? `${part}/flatc/bin/flatc` : "flatc";
for (const [name, path, tables] of [
  ["records", "records/records.fbs", ["items", "item"]],
  ["messages", "probe/probe.fbs", ["int64", "uint64", "double", "text", "bytes"]],
]) {
  execFileSync(flatc, ["--ts", "--gen-object-api", "-o", folder, `${folder}/schemas/${path}`]);
  const contents = tables.map((table) => `export * from "./${table}";`).join("\n");
  buildSync({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    outfile: `${folder}/${name}.mjs`,
    bundle: true,
    format: "esm",
    packages: "external",
  });
}
