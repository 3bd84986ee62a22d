// Elements from data. Text is only ever set as text, so nothing that a run file says becomes markup.

import { visible } from "./text.mjs";

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[] | Child[][]} Children */

/**
 * Make an element. Of `properties`, functions become listeners, `class` the class, others attributes;
 * false, null and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [properties] @param {Children[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of /** @type {Child[]} */ (children.flat(2))) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/** The element of the page with an id. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/** Replace what is in `parent`, and leave the focus on the element of the same id. @param {Element} parent @param {(Child | Child[])[]} children */
export function replace(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const selection = focused instanceof HTMLInputElement && focused.type === "search" ? focused.selectionStart : null;
  parent.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined && c !== false).map((c) =>
    c instanceof Node ? c : String(c)));
  const again = focused?.id ? document.getElementById(focused.id) : null;
  if (again && again !== focused) {
    again.focus({ preventScroll: true });
    if (again instanceof HTMLInputElement && selection !== null) again.setSelectionRange(selection, selection);
  }
}

/**
 * A table that scrolls sideways where it is too wide, also by keyboard.
 * @param {string} label @param {Record<string, any>} properties of the table @param {Children} head the cells of its head
 * @param {(Child[] | null)[]} bodies the rows of each of its bodies
 */
export function scrollingTable(label, properties, head, ...bodies) {
  const table = h("table", properties, h("thead", {}, h("tr", {}, head)), bodies.map((rows) => rows && h("tbody", {}, rows)));
  const reached = reachable(table);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": reached ? `${label}. Arrow keys go from figure to figure.` : label }, table);
}

/** How far an arrow key goes, across and down. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Let the cells that say more be reached by one Tab, and from there by arrows: a stop for each would be hundreds.
 * Returns whether there are any.
 * @param {HTMLTableElement} table
 */
function reachable(table) {
  const cells = /** @type {NodeListOf<HTMLTableCellElement>} */ (table.querySelectorAll("td[data-tip]"));
  for (const [n, cell] of cells.entries()) cell.tabIndex = n ? -1 : 0;
  if (cells.length) {
    table.addEventListener("keydown", (event) => {
      const cell = event.target instanceof Element ? /** @type {HTMLTableCellElement | null} */ (event.target.closest("td[data-tip]")) : null;
      const next = cell && Object.hasOwn(STEPS, event.key) ? neighbour(cell, STEPS[event.key]) : null;
      if (!cell || !next) return;
      event.preventDefault();
      [cell.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    });
  }
  return cells.length > 0;
}

/** The next cell that says more in a direction. @param {HTMLTableCellElement} cell @param {[number, number]} step @returns {HTMLTableCellElement | null} */
function neighbour(cell, [across, down]) {
  const rows = [...(cell.closest("tbody")?.rows ?? [])];
  let row = rows.findIndex((other) => other === cell.parentElement);
  let column = cell.cellIndex;
  for (;;) {
    [row, column] = [row + down, column + across];
    const next = rows[row]?.cells[column];
    if (!next) return null;
    if (next.dataset.tip) return /** @type {HTMLTableCellElement} */ (next);
  }
}

/**
 * A select element for one choice of the state.
 * @param {string} name of the choice @param {string} text @param {[string, string][]} options values and how they are called
 * @param {Record<string, string>} state @param {{choose: (changes: Record<string, string>) => void}} actions
 */
export function choice(name, text, options, state, actions) {
  return h("label", { class: "choice" }, h("span", {}, text),
    h("select", { id: `choose-${name}`, change: (/** @type {any} */ event) => actions.choose({ [name]: event.target.value }) },
      options.map(([value, label]) => h("option", { value, selected: state[name] === value }, visible(label)))));
}

/** A word whose meaning shows on hover and focus. @param {string} text @param {string} meaning */
export function explained(text, meaning) {
  return h("span", { class: "explained", tabindex: 0, "data-tip": meaning }, text);
}

/** Show the meaning of whatever is hovered or focused, in place of titles, which keyboards do not reach. */
export function showTips() {
  const tip = byId("tip");
  const show = (/** @type {Event} */ event) => {
    const told = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
    // What has the focus keeps its tip when the page scrolls below a resting mouse.
    const target = told ?? (event.type === "mouseover" ? document.activeElement?.closest("[data-tip]") : null);
    tip.hidden = !target;
    if (!target) return;
    const box = target.getBoundingClientRect();
    placeTip(target.getAttribute("data-tip") ?? "", box.left, box.bottom + 6);
  };
  for (const event of ["mouseover", "focusin"]) document.addEventListener(event, show);
  document.addEventListener("focusout", () => { tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
}

/** Show a text at a place of the window. @param {string} text @param {number} x @param {number} y */
export function placeTip(text, x, y) {
  const tip = byId("tip");
  // A modal dialog covers everything outside of it.
  const dialog = document.querySelector("dialog[open]");
  (dialog ?? document.body).append(tip);
  tip.textContent = text;
  tip.hidden = false;
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  tip.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  tip.style.top = `${y + height + 8 > innerHeight ? Math.max(8, y - height - 40) : y}px`;
}

/** Say something at the top of the page. @param {string} text @param {boolean} [bad] */
export function say(text, bad = false) {
  const message = byId("message");
  message.textContent = text;
  message.className = bad ? "bad" : "";
}
