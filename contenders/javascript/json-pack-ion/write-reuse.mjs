import { IonEncoderFast } from "@jsonjoy.com/json-pack/lib/ion/index.js";

const encoder = new IonEncoderFast();

export const bigints = false; // it does not take them

export const write = (root) => encoder.encode(root);
