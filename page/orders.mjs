// Do the orders of rows hold on all machines? What Python has judged of the runs that the page came with.

import { choice, h, scrollingTable } from "./dom.mjs";
import { count, visible } from "./text.mjs";
import { GROUP, HERE, narrowed } from "./view.mjs";

/** Two rows, and the machines on which the first is faster, slower, neither. @typedef {[string, string, string, string[], string[], string[]]} Order */
/** @typedef {{test: string, dataset: string, profile: string, pairs: number, counts: Record<string, number>, orders: Order[]}} OrderedGroup */
/** @typedef {{machines: [string, string][], notes: string[], groups: OrderedGroup[]}} Orders */

/** @param {import("./results.mjs").Context} context @returns {Node[]} */
export function ordersOf({ orders, asked, actions }) {
  if (!orders) return [];
  const known = orders.groups.map((own) => ({ own, group: { platform: HERE, test: own.test, dataset: own.dataset, profile: own.profile } }));
  const { state, choices } = narrowed(known, asked);
  const shown = known.find(({ group }) => Object.entries(group).every(([name, value]) => state[name] === value))?.own;
  const head = (/** @type {string[]} */ names) => names.map((name) => h("th", { scope: "col" }, name));
  const list = (/** @type {string[]} */ names) => h("td", {}, names.map(visible).join(", "));
  return [
    h("form", { class: "controls", "aria-label": "Which orders", submit: (/** @type {Event} */ e) => e.preventDefault() },
      GROUP.map((name) => choices[name].length > 1 ? choice(name, name, choices[name].map((value) => [value, value]), state, actions) : null)),
    h("p", { class: "caption" }, shown ? `${count(shown.pairs)} pairs of rows; ${Object.entries(shown.counts).map(([verdict, n]) => `${verdict}: ${count(n)}`).join(", ")}. ` : "No pair was measured on two machines. ",
      h("span", { class: "faint" }, "On all: each machine proves the order. On some: the others prove nothing of the pair. Reversed: another machine proves the opposite. "
        + "Undecided: no machine proves anything. Each machine judges by its own launches alone.")),
    shown?.orders.length ? h("section", { "aria-label": "Orders" }, h("h2", {}, "What does not hold everywhere"),
      scrollingTable("Orders that do not hold on all machines", {}, head(["faster", "slower", "holds", "proved on", "opposite on", "undecided on"]),
        shown.orders.map(([first, second, verdict, ...where]) => h("tr", {}, h("th", { scope: "row" }, visible(first)), h("td", {}, visible(second)), h("td", {}, verdict), where.map(list))))) : null,
    h("section", { "aria-label": "Machines" }, h("h2", {}, "Machines"),
      scrollingTable("Machines", {}, head(["machine", "what"]), orders.machines.map(([name, what]) => h("tr", {}, h("th", { scope: "row" }, visible(name)), h("td", {}, visible(what)))))),
    ...orders.notes.map((note) => h("p", { class: "faint" }, visible(note))),
  ].filter((part) => part !== null);
}
