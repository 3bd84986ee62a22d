import { IonDecoder } from "@jsonjoy.com/json-pack/lib/ion/index.js";

export const read = (data) => new IonDecoder().decode(data);
