import { decode } from "@ipld/dag-cbor";

export const read = (data) => decode(data);
