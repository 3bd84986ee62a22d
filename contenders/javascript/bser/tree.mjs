import { loadFromBuffer } from "bser";

export const read = (data) => loadFromBuffer(data);
