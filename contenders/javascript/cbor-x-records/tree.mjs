import { Encoder } from "cbor-x";

export const read = (data) => new Encoder({ useRecords: true }).decode(data);
