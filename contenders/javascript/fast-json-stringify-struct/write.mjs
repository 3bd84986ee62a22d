import { readFileSync } from "node:fs";
import build from "fast-json-stringify";

const schema = JSON.parse(readFileSync(new URL("./schemas/document.schema.json", import.meta.url), "utf8"));
const stringify = build(schema);

export const write = (root) => stringify(root);
