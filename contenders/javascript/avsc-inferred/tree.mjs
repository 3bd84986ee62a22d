import { typeOf } from "./type.mjs";

export const read = (data, { root }) => typeOf(root).fromBuffer(data);
