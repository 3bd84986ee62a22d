/** Makes the library's code from the schema of the data. */
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import pbjs from "protobufjs-cli/pbjs.js";

const [, , folder] = process.argv;
const options = [
  "-t",
  "static-module",
  "-w",
  "es6",
  "--keep-case",
  "--no-create",
  "--no-verify",
  "--no-delimited",
];
const output = await promisify(pbjs.main)([...options, `${folder}/schemas/document.proto`]);
const module = output.replace('"protobufjs/minimal"', '"protobufjs/minimal.js"');
writeFileSync(`${folder}/messages.mjs`, module);
