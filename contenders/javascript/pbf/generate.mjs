/** Makes the library's code from the schemas. */
import { writeFileSync } from "node:fs";
import { compileRaw } from "pbf/compile";
import schema from "resolve-protobuf-schema";

const [, , folder] = process.argv;
for (const [name, path] of [
  ["records", "records/records.proto"],
  ["messages", "probe/probe.proto"],
])
  writeFileSync(`${folder}/${name}.mjs`, compileRaw(schema.sync(`${folder}/schemas/${path}`)));
