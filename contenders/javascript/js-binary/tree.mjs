import { type } from "./type.mjs";

export const read = (data) => type.decode(data);
