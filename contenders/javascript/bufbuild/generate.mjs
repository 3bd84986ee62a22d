/** Makes the library's code from the schema: its generator is a plugin of protoc, which is not needed for that. */
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
const { root } = protobuf.parse(readFileSync(`${folder}/schemas/records/records.proto`, "utf8"));
root.resolveAll();
const descriptor = root.toDescriptor("proto3");
const bytes = descriptor.constructor.encode(descriptor).finish();
const { file } = fromBinary(FileDescriptorSetSchema, bytes);
file[0].name = "records.proto";
const request = toBinary(CodeGeneratorRequestSchema, {
  $typeName: "google.protobuf.compiler.CodeGeneratorRequest",
  fileToGenerate: ["records.proto"],
  parameter: "target=js,js_import_style=module",
  protoFile: file,
  sourceFileDescriptors: [],
});
const plugin = new URL("../node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es", import.meta.url);
const output = execFileSync(process.execPath, [fileURLToPath(plugin)], { input: request });
const response = fromBinary(CodeGeneratorResponseSchema, output);
if (response.error) throw new Error(response.error);
writeFileSync(`${folder}/records.mjs`, response.file[0].content);
