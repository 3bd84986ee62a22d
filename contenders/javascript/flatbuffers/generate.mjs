/** Makes the library's code from the schemas, and plain JavaScript of that. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";

const [, , folder] = process.argv;
for (const [name, path, tables] of [
  ["records", "records/records.fbs", ["items", "item"]],
  ["messages", "probe/probe.fbs", ["int64", "uint64", "double", "text", "bytes"]],
]) {
  execFileSync("flatc", ["--ts", "--gen-object-api", "-o", folder, `${folder}/schemas/${path}`]);
  const contents = tables.map((table) => `export * from "./${table}";`).join("\n");
  buildSync({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    outfile: `${folder}/${name}.mjs`,
    bundle: true,
    format: "esm",
    packages: "external",
  });
}
