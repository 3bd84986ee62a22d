/** Makes the library's code from the schema. */
import { writeFileSync } from "node:fs";
import { compileRaw } from "pbf/compile";
import schema from "resolve-protobuf-schema";

const [, , folder] = process.argv;
writeFileSync(`${folder}/records.mjs`, compileRaw(schema.sync(`${folder}/schemas/records/records.proto`)));
