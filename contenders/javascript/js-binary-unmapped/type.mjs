import { Type } from "js-binary";

export const type = new Type([["float"]]);
