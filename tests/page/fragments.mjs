// Prints what the page reads of addresses: node fragments.mjs HASH..., a JSON list of the rows that each hides.

import { readState, several } from "../../page/state.mjs";

console.log(JSON.stringify(process.argv.slice(2).map((hash) => several(readState(hash).hide))));
