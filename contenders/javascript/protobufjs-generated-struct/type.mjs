import { name } from "./document.mjs";

const messages = await import("./messages.mjs");

export const type = messages[name];
