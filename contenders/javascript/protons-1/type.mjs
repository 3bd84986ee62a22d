import { readFileSync } from "node:fs";
import protons from "protons-1";

const source = readFileSync(new URL("./schemas/records/records.proto", import.meta.url), "utf8");

export const { Items } = protons(source);
