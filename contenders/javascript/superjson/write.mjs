import superjson from "superjson";

export const write = (root) => superjson.stringify(root);
