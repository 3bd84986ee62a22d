import { name } from "./document.mjs";

const messages = await import("./messages.mjs");

export const { [`write${name}`]: encode, [`read${name}`]: decode } = messages;
