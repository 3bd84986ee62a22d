import { decode } from "cborg";

export const read = (data) => decode(data);
