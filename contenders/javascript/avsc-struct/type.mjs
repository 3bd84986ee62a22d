import { readFileSync } from "node:fs";
import avro from "avsc";

export const type = avro.Type.forSchema(
  JSON.parse(readFileSync(new URL("./schemas/document.avsc", import.meta.url), "utf8")),
);
