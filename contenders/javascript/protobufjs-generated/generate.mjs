/** Makes the library's code from the schemas. */
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import pbjs from "protobufjs-cli/pbjs.js";

const [, , folder] = process.argv;
const options = ["-t", "static-module", "-w", "es6", "--no-create", "--no-verify", "--no-delimited"];
const main = promisify(pbjs.main);
for (const [name, path] of [
  ["records", "records/records.proto"],
  ["messages", "probe/probe.proto"],
]) {
  const output = await main([...options, `${folder}/schemas/${path}`]);
  const module = output.replace('"protobufjs/minimal"', '"protobufjs/minimal.js"');
  writeFileSync(`${folder}/${name}.mjs`, module);
}
