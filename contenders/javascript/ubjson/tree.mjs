import { decode } from "@shelacek/ubjson";

export const read = (data) => decode(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
