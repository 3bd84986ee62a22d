import { Packr } from "msgpackr";

const packr = new Packr();

export const read = (data) => packr.unpack(data);
