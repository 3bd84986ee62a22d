/** Makes the library's code from the schema, with a protoc that still has a generator for JavaScript. */
import { execFileSync } from "node:child_process";
import { chmodSync, renameSync } from "node:fs";

const [, , folder, part] = process.argv;
const protoc = `${part}/protoc/data/bin/protoc`;
chmodSync(protoc, 0o755);
execFileSync(protoc, [
  `--proto_path=${folder}/schemas/records`,
  `--js_out=import_style=commonjs,binary:${folder}`,
  "records.proto",
]);
renameSync(`${folder}/records_pb.js`, `${folder}/records.cjs`);
