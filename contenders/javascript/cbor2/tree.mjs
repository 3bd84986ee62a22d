import { decode } from "cbor2";

export const read = (data) => decode(data);
