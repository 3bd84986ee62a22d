import superjson from "superjson";

export const read = (data) => superjson.parse(data.toString("utf8"));
