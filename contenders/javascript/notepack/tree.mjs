import { decode } from "notepack.io";

export const read = (data) => decode(data);
