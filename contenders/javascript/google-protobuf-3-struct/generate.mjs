/** Makes the library's code from the schema of the data, with a protoc that still has a generator for JavaScript. */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";

const [, , folder, part] = process.argv;
const protoc = `${part}/protoc/data/bin/protoc`;
chmodSync(protoc, 0o755);
execFileSync(protoc, [
  `--proto_path=${folder}/schemas`,
  `--js_out=import_style=commonjs,binary:${folder}`,
  "document.proto",
]);
const made = readFileSync(`${folder}/document_pb.js`, "utf8");
// The package has a name of its own here, beside the newer version.
writeFileSync(`${folder}/messages.cjs`, made.replace("'google-protobuf'", "'google-protobuf-3'"));
