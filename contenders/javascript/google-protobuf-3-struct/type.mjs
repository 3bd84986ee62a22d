import { name } from "./document.mjs";
import messages from "./messages.cjs";

export const type = messages[name];
