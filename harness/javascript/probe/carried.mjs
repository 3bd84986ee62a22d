/** What decoded records carry besides their data, found by looking at real objects. */
import { describe } from "./values.mjs";

/**
 * @typedef {"prototype" | "getter" | "wrapper" | "renamed" | "own" | "inherited" | "missing" | "changed"} Kind
 * @typedef {{ kind: Kind, where: string, what: string }} Carried
 */

const FEW = 4;

/**
 * Some names in words.
 * @param {(string | symbol)[]} names
 */
function listed(names) {
  const shown = names.slice(0, FEW).map(String).join(", ");
  return names.length > FEW ? `${shown} and ${names.length - FEW} more` : shown;
}

/**
 * The own descriptors of an object's foreign prototypes, the nearest first; `constructor` is left out.
 * @param {object} object
 */
function inheritedOf(object) {
  /** @type {Map<string | symbol, PropertyDescriptor>} */
  const found = new Map();
  for (let at = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at)) {
    if (at === Object.prototype || at === Array.prototype) break;
    for (const key of Reflect.ownKeys(at)) {
      const descriptor = Object.getOwnPropertyDescriptor(at, key);
      if (key !== "constructor" && descriptor && !found.has(key)) found.set(key, descriptor);
    }
  }
  return found;
}

/** One look at a decoded document, beside the one that was written. */
class Inspection {
  constructor() {
    /** @type {Map<string, Carried>} */
    this.found = new Map();
  }

  /**
   * @param {Kind} kind
   * @param {string} where
   * @param {string} what
   */
  say(kind, where, what) {
    this.found.set(`${kind} ${where} ${what}`, { kind, where, what });
  }

  /**
   * @param {unknown} expected
   * @param {any} value
   * @param {string} where
   */
  compare(expected, value, where) {
    if (Array.isArray(expected)) this.array(expected, value, where);
    else if (typeof expected === "object" && expected !== null)
      this.object(/** @type {Record<string, unknown>} */ (expected), value, where);
    else if (!Object.is(expected, value))
      this.say("changed", where, `${describe(expected)} is ${describe(value)}`);
  }

  /**
   * @param {unknown[]} expected
   * @param {any} value
   * @param {string} where
   */
  array(expected, value, where) {
    if (typeof value !== "object" || value === null || value.length !== expected.length) {
      this.say("changed", where, `an array is ${describe(value)}`);
      return;
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Array.prototype) this.say("prototype", where, prototype?.constructor?.name ?? "none");
    const extra = Reflect.ownKeys(value).filter((key) => key !== "length" && !/^\d+$/.test(String(key)));
    if (extra.length > 0) this.say("own", where, listed(extra));
    expected.forEach((each, i) => {
      this.compare(each, value[i], `${where}[]`);
    });
  }

  /**
   * @param {Record<string, unknown>} expected
   * @param {any} value
   * @param {string} where
   */
  object(expected, value, where) {
    if (typeof value !== "object" || value === null) {
      this.say("changed", where, `an object is ${describe(value)}`);
      return;
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) this.say("prototype", where, "none");
    else if (prototype !== Object.prototype)
      this.say("prototype", where, prototype.constructor?.name || "a class without a name");
    const inherited = inheritedOf(value);
    const extra = new Set(Reflect.ownKeys(value).filter((key) => !Object.hasOwn(expected, key)));
    for (const [key, wanted] of Object.entries(expected))
      this.field(key, wanted, value, where === "" ? key : `${where}.${key}`, extra, inherited);
    for (const key of Object.keys(expected)) inherited.delete(key);
    this.extras(value, where, extra, inherited);
  }

  /**
   * @param {string} key
   * @param {unknown} wanted
   * @param {any} value
   * @param {string} where
   * @param {Set<string | symbol>} extra
   * @param {Map<string | symbol, PropertyDescriptor>} inherited
   */
  field(key, wanted, value, where, extra, inherited) {
    const own = Object.getOwnPropertyDescriptor(value, key);
    const descriptor = own ?? inherited.get(key);
    if (descriptor?.get) this.say("getter", where, own ? "own" : "inherited");
    else if (!own && descriptor) this.say("inherited", where, `the value ${describe(descriptor.value)}`);
    else if (own && !own.enumerable) this.say("own", where, "not enumerable");
    if (descriptor) {
      this.compare(wanted, value[key], where);
      return;
    }
    const alike = new RegExp(`^_*${key}`, "i");
    const other = [...extra].find((name) => typeof name === "string" && alike.test(name));
    if (other !== undefined) {
      extra.delete(other);
      this.say("renamed", where, `to ${String(other)}`);
      this.compare(wanted, value[other], where);
      return;
    }
    const method = [...inherited].find(
      ([name, { value: f }]) =>
        typeof f === "function" && new RegExp(`^get${key}(list)?$`, "i").test(String(name)) && f.length === 0,
    );
    if (method) {
      this.say("wrapper", where, `behind ${String(method[0])}()`);
      this.compare(wanted, value[method[0]](), where);
      return;
    }
    this.say("missing", where, `${describe(wanted)} is not there`);
  }

  /**
   * @param {any} value
   * @param {string} where
   * @param {Set<string | symbol>} extra
   * @param {Map<string | symbol, PropertyDescriptor>} inherited
   */
  extras(value, where, extra, inherited) {
    const shown = [...extra].filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable);
    const hidden = [...extra].filter((key) => !shown.includes(key));
    if (shown.length > 0) this.say("own", where, listed(shown));
    if (hidden.length > 0) this.say("own", where, `${listed(hidden)} (hidden)`);
    const methods = [...inherited].filter(([, { value: f }]) => typeof f === "function");
    const visible = [...inherited].filter(([, { enumerable }]) => enumerable).map(([key]) => key);
    if (visible.length > 0) this.say("inherited", where, `enumerable: ${listed(visible)}`);
    const quiet = methods.map(([key]) => key).filter((key) => !visible.includes(key));
    if (quiet.length > 0) this.say("inherited", where, `methods: ${listed(quiet)}`);
  }
}

/**
 * What `decoded` carries that `expected`, the document that was written, does not.
 * @param {unknown} expected
 * @param {unknown} decoded
 */
export function carriedBy(expected, decoded) {
  const inspection = new Inspection();
  inspection.compare(expected, decoded, "");
  return [...inspection.found.values()];
}
