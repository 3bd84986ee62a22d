/** Makes the library's code from the schemas: its generator is a plugin of protoc, which is not needed for that. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import protobuf from "protobufjs";
import "protobufjs/ext/descriptor/index.js";

const [, , folder] = process.argv;
const plugin = new URL("../node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es", import.meta.url);

/** What the plugin makes of a schema. */
function generated(path) {
  const { root } = protobuf.parse(readFileSync(path, "utf8"));
  root.resolveAll();
  const descriptor = root.toDescriptor("proto3");
  // protobufjs names the message of a map's entries without the message that it stands in.
  for (const { name, field, nestedType } of descriptor.file[0].messageType)
    for (const each of field)
      if (nestedType.some((nested) => nested.name === each.typeName))
        each.typeName = `.${name}.${each.typeName}`;
  const bytes = descriptor.constructor.encode(descriptor).finish();
  const { file } = fromBinary(FileDescriptorSetSchema, bytes);
  file[0].name = "schema.proto";
  const request = toBinary(CodeGeneratorRequestSchema, {
    $typeName: "google.protobuf.compiler.CodeGeneratorRequest",
    fileToGenerate: ["schema.proto"],
    parameter: "target=js,js_import_style=module",
    protoFile: file,
    sourceFileDescriptors: [],
  });
  const output = execFileSync(process.execPath, [fileURLToPath(plugin)], { input: request });
  const response = fromBinary(CodeGeneratorResponseSchema, output);
  if (response.error) throw new Error(response.error);
  return response.file[0].content;
}

for (const [name, path] of [
  ["records", "records/records.proto"],
  ["messages", "probe/probe.proto"],
])
  writeFileSync(`${folder}/${name}.mjs`, generated(`${folder}/schemas/${path}`));
