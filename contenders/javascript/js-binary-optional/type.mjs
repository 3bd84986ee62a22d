import { Type } from "js-binary";

export const type = new Type({ items: [{ "x?": "int", "y?": "float", "z?": "float" }] });
