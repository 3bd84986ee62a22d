import cbor from "cbor";

export const read = (data) => cbor.decodeFirstSync(data);
