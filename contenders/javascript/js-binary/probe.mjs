import { kindsIn } from "./schemas/probe/js-binary.mjs";

export const kinds = kindsIn("value");
