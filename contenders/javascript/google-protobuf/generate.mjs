/** Makes the library's code from the schemas, with a protoc that still has a generator for JavaScript. */
import { execFileSync } from "node:child_process";
import { chmodSync, renameSync } from "node:fs";

const [, , folder, part] = process.argv;
const protoc = `${part}/protoc/data/bin/protoc`;
chmodSync(protoc, 0o755);
for (const [name, path] of [
  ["records", "records/records"],
  ["messages", "probe/probe"],
]) {
  const [schemas, file] = path.split("/");
  execFileSync(protoc, [
    `--proto_path=${folder}/schemas/${schemas}`,
    `--js_out=import_style=commonjs,binary:${folder}`,
    `${file}.proto`,
  ]);
  renameSync(`${folder}/${file}_pb.js`, `${folder}/${name}.cjs`);
}
