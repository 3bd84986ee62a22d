// Every choice is in the address after #, so that a view can be shared and the back button works.

/** @typedef {Record<string, string>} State */

/** The choices and what they are when nothing is said of them. @type {State} */
export const DEFAULTS = {
  view: "results", run: "", test: "", dataset: "", profile: "", language: "", format: "", variant: "", compiler: "",
  allocator: "", cpu: "", data: "", label: "", find: "", metric: "net", sort: "", ref: "", hide: "", row: "", all: "", platform: "",
  old: "", new: "", does: "", size: "", rate: "1000", link: "100", theme: "",
};

/** @param {string} hash @returns {State} the choices in an address; what it does not know is left out */
export function readState(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, given.get(name) ?? value]));
}

/** @param {State} state @returns {string} the shortest address after # that means it */
export function writeState(state) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (state[name] !== value) given.set(name, state[name]);
  }
  return `#${given}`;
}

/** The values of a choice that holds several. @param {string} text @returns {string[]} */
export function several(text) {
  return text ? text.split("|").flatMap((part) => {
    try {
      return [decodeURIComponent(part)];
    } catch { // an address that somebody has cut short
      return [];
    }
  }) : [];
}

/** @param {string[]} values */
export function joined(values) {
  return values.map((value) => encodeURIComponent(value)).join("|");
}
