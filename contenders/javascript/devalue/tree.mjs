import { parse } from "devalue";

export const read = (data) => parse(data.toString("utf8"));
