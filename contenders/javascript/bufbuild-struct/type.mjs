import { name } from "./documentInCamelCase.mjs";

const messages = await import("./messages.mjs");

export const type = messages[`${name}Schema`];
