import { IonEncoderFast } from "@jsonjoy.com/json-pack/lib/ion/index.js";

export const bigints = false; // it does not take them

export const write = (root) => new IonEncoderFast().encode(root);
