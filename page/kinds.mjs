// What kinds of run add to the page. Each has a script page/part.mjs in its folder in src/serbench/kinds, which
// page/build.py finds by its being there, and bundles in front of the others.

/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./rows.mjs").Row} Row */
/** A tab: its name in addresses, its title, and whether it has something to show. @typedef {{id: string, title: string, has: (runs: RunData[]) => boolean, show: (context: import("./results.mjs").Context) => Node[]}} View */
/** Tables of a list of the run file, among the libraries. @typedef {{results: string, sections: (run: RunData, several: boolean) => Node[]}} Probe */
/**
 * @typedef {object} KindPart
 * @property {View} [view]
 * @property {Probe} [probe]
 * @property {(row: Row, run: RunData) => string[] | null} [commandOf] The command that measures a row of this kind again, without seed and places; null for a row of another kind.
 */

/** @type {KindPart[]} */
export const kinds = [];

/** @param {KindPart} part */
export function addKind(part) {
  kinds.push(part);
}
