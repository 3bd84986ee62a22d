/** Prints what a module makes of its library before its first call, and whether its second output overwrites its first. */
import { register } from "node:module";
import { pathToFileURL } from "node:url";

globalThis.noted = [];
register("./kept_hooks.mjs", import.meta.url);
const { write } = await import(pathToFileURL(process.argv[2]).href);
const made = [...globalThis.noted];
let overwritten = false;
if (write) {
  const root = { number: 1, text: "some text", list: [true, null] };
  const [first, second] = [0, 1].map(() => write(root, { rootIsArray: false, root }));
  overwritten =
    typeof first !== "string" &&
    first.buffer === second.buffer &&
    first.byteOffset < second.byteOffset + second.byteLength &&
    second.byteOffset < first.byteOffset + first.byteLength;
}
console.log(JSON.stringify({ made, overwritten }));
