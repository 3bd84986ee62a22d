import { Encoder } from "cbor-x";

const encoder = new Encoder();

export const read = (data) => encoder.decode(data);
