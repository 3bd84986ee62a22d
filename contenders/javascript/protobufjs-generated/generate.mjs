/** Makes the library's code from the schema. */
import { writeFileSync } from "node:fs";
import pbjs from "protobufjs-cli/pbjs.js";

const [, , folder] = process.argv;
const options = ["-t", "static-module", "-w", "es6", "--no-create", "--no-verify", "--no-delimited"];
pbjs.main([...options, `${folder}/schemas/records/records.proto`], (error, output) => {
  if (error) throw error;
  writeFileSync(`${folder}/records.mjs`, output.replace('"protobufjs/minimal"', '"protobufjs/minimal.js"'));
});
