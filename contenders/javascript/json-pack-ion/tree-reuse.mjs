import { IonDecoder } from "@jsonjoy.com/json-pack/lib/ion/index.js";

const decoder = new IonDecoder();

export const read = (data) => decoder.decode(data);
