/** Makes the library's code from the schema of the data. */
import { writeFileSync } from "node:fs";
import { compileRaw } from "pbf/compile";
import schema from "resolve-protobuf-schema";

const [, , folder] = process.argv;
const made = compileRaw(schema.sync(`${folder}/schemas/document.proto`));
writeFileSync(`${folder}/messages.mjs`, made);
