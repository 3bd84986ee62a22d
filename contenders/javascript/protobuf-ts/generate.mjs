/** Makes the library's code from the schema of the data, by its plugin of protoc. */
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [, , folder, part] = process.argv;
const plugin = fileURLToPath(
  new URL("../node_modules/@protobuf-ts/plugin/bin/protoc-gen-ts", import.meta.url),
);
execFileSync(`${part}/bin/protoc`, [
  `--plugin=${plugin}`,
  `--ts_out=${folder}`,
  "--ts_opt=output_javascript,use_proto_field_name",
  `-I${folder}/schemas`,
  "document.proto",
]);
renameSync(`${folder}/document.js`, `${folder}/messages.mjs`);
