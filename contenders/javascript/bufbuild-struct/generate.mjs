/** Makes the library's code from the schema of the data, by its plugin of protoc. */
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [, , folder, part] = process.argv;
const plugin = fileURLToPath(
  new URL("../node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es", import.meta.url),
);
execFileSync(`${part}/bin/protoc`, [
  `--plugin=${plugin}`,
  `--es_out=${folder}`,
  "--es_opt=target=js,js_import_style=module",
  `-I${folder}/schemas`,
  "document.proto",
]);
renameSync(`${folder}/document_pb.js`, `${folder}/messages.mjs`);
