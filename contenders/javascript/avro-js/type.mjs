import { readFileSync } from "node:fs";
import avro from "avro-js";

export const type = avro.parse(
  JSON.parse(readFileSync(new URL("./schemas/records/records.avsc", import.meta.url), "utf8")),
);
