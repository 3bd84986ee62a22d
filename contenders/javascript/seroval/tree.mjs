import { fromJSON } from "seroval";

export const read = (data) => fromJSON(JSON.parse(data.toString("utf8")));
