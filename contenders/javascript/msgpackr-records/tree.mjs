import { Packr } from "msgpackr";

export const read = (data) => new Packr({ useRecords: true }).unpack(data);
