/** The values that the fidelity probe sends through a library, and what came back of them. */

/**
 * @typedef {"int64" | "uint64" | "double" | "text" | "bytes" | "map" | "date" | "any"} Kind what a schema calls it
 * @typedef {"same" | "form" | "changed" | "polluted"} Mark
 * @typedef {{ mark: Mark, found: string }} Verdict
 * @typedef {{ kind: Kind, value: unknown }} Probe
 */

// biome-ignore lint/suspicious/noSparseArray: the hole is what is probed
const HOLE = [1, , 3];

/** @type {Record<string, Probe>} */
export const PROBES = {
  "2^53-1": { kind: "int64", value: Number.MAX_SAFE_INTEGER },
  "2^53+1n": { kind: "int64", value: 2n ** 53n + 1n },
  "2^60": { kind: "int64", value: 2 ** 60 },
  "2^63-1n": { kind: "int64", value: 2n ** 63n - 1n },
  "-2^63n": { kind: "int64", value: -(2n ** 63n) },
  "2^64-1n": { kind: "uint64", value: 2n ** 64n - 1n },
  "1.0": { kind: "double", value: 1 },
  0.1: { kind: "double", value: 0.1 },
  "-0": { kind: "double", value: -0 },
  NaN: { kind: "double", value: Number.NaN },
  Infinity: { kind: "double", value: Number.POSITIVE_INFINITY },
  "-Infinity": { kind: "double", value: Number.NEGATIVE_INFINITY },
  "2^64": { kind: "double", value: 2 ** 64 },
  "1e300": { kind: "double", value: 1e300 },
  undefined: { kind: "double", value: undefined },
  "lone surrogate": { kind: "text", value: "a\ud800b" },
  Uint8Array: { kind: "bytes", value: Uint8Array.of(0, 1, 255) },
  Date: { kind: "date", value: new Date(Date.UTC(2020, 1, 2, 3, 4, 5, 678)) },
  Float64Array: { kind: "any", value: Float64Array.of(0.5, 2) },
  "array hole": { kind: "any", value: HOLE },
  "key __proto__": { kind: "map", value: JSON.parse('{"a":{"polluted":1},"__proto__":{"polluted":2}}') },
};

const LONGEST = 60;

/**
 * A value in a few words.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return shortened(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return shortened(String(value));
  const name = Object.getPrototypeOf(value)?.constructor?.name ?? "";
  const named = name === "" || name === "Object" || name === "Array" ? "" : `${name} `;
  try {
    return shortened(named + JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v)));
  } catch {
    return shortened(`${named}object`);
  }
}

/** @param {string} text */
const shortened = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/**
 * The integer that a library's own class of 64-bit integers stands for; null if it is none of those.
 * @param {any} value
 * @returns {bigint | null}
 */
function wrapped(value) {
  try {
    if (typeof value.toBigInt === "function") return BigInt(value.toBigInt());
    if (typeof value.toOctetString === "function")
      return BigInt.asIntN(64, BigInt(`0x${value.toOctetString()}`));
    if (typeof value.low === "number" && typeof value.high === "number") {
      const bits = (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
      return value.unsigned ? bits : BigInt.asIntN(64, bits);
    }
  } catch {}
  return null;
}

/**
 * The number that something stands for, exactly: an integer as a BigInt; null if it is no number.
 * @param {unknown} value
 * @returns {bigint | number | null}
 */
function numeric(value) {
  if (typeof value === "bigint") return value;
  if (typeof value === "number")
    return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  return typeof value === "object" && value !== null ? wrapped(value) : null;
}

/** @param {unknown} value */
function typeName(value) {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const name = Object.getPrototypeOf(value)?.constructor?.name || "object";
  return `${/^[AEIO]/i.test(name) ? "an" : "a"} ${name}`;
}

/** @type {(found: string) => Verdict} */
const changed = (found) => ({ mark: "changed", found });
/** @type {(found: string) => Verdict} */
const form = (found) => ({ mark: "form", found });
/** @type {Verdict} */
const SAME = { mark: "same", found: "" };

/**
 * @param {bigint | number} expected
 * @param {unknown} found
 */
function judgeNumber(expected, found) {
  if (Object.is(expected, found)) return SAME;
  const stands = numeric(found);
  if (Object.is(numeric(expected), stands)) return form(typeName(found));
  return changed(
    typeof found === "object" && stands !== null ? `${stands}, ${typeName(found)}` : describe(found),
  );
}

/**
 * Whether something holds these bytes: as base64, or as a class around a buffer.
 * @param {Uint8Array} expected
 * @param {any} found
 */
function sameBytes(expected, found) {
  if (typeof found === "string") return found === Buffer.from(expected).toString("base64");
  const inner = found?.buffer;
  if (ArrayBuffer.isView(found) || !(inner instanceof Uint8Array)) return false;
  const length = typeof found.length === "function" ? found.length() : inner.length;
  return Buffer.compare(inner.subarray(0, length), expected) === 0;
}

/**
 * @param {{ readonly [n: number]: number, readonly length: number }} expected
 * @param {any} found
 */
function judgeNumbers(expected, found) {
  if (expected instanceof Uint8Array && sameBytes(expected, found)) return form(typeName(found));
  const alike =
    typeof found === "object" &&
    found !== null &&
    (Array.isArray(found) || ArrayBuffer.isView(found)
      ? /** @type {any} */ (found).length === expected.length
      : Object.keys(found).length === expected.length) &&
    Array.prototype.every.call(expected, (number, i) => Object.is(number, found[i]));
  if (!alike) return changed(describe(found));
  return Object.getPrototypeOf(found) === Object.getPrototypeOf(expected) ? SAME : form(typeName(found));
}

/**
 * @param {Date} expected
 * @param {unknown} found
 */
function judgeDate(expected, found) {
  if (found instanceof Date) return found.getTime() === expected.getTime() ? SAME : changed(describe(found));
  const meant = found === expected.toISOString() || numeric(found) === BigInt(expected.getTime());
  return meant ? form(typeName(found)) : changed(describe(found));
}

/** @param {any} found */
function judgeHole(found) {
  if (!Array.isArray(found) || found.length !== 3 || found[0] !== 1 || found[2] !== 3)
    return changed(describe(found));
  if (!(1 in found)) return SAME;
  return found[1] === undefined ? form("undefined") : changed(`${describe(found[1])} in its place`);
}

/** @param {any} found */
function judgeKey(found) {
  if (typeof found !== "object" || found === null) return changed(describe(found));
  const inner = (/** @type {any} */ value) => value?.polluted === 2;
  if (found instanceof Map)
    return inner(found.get("__proto__")) ? form("a Map") : changed("the key is absent");
  if (Array.isArray(found)) {
    const pair = found.find((each) => Array.isArray(each) && each[0] === "__proto__");
    return inner(pair?.[1]) ? form("an array of pairs") : changed("the key is absent");
  }
  const own = Object.getOwnPropertyDescriptor(found, "__proto__");
  if (own) return inner(own.value) ? SAME : changed(describe(found));
  if (inner(Object.getPrototypeOf(found)))
    return { mark: /** @type {Mark} */ ("polluted"), found: "the data set the object's prototype" };
  return changed("the key is absent");
}

/**
 * What became of a value: the same, the same in another form, something else, or the prototype of an object.
 * @param {Probe} probe
 * @param {any} decoded what was read: an object with the value under the key `value`
 * @returns {Verdict}
 */
export function judge({ kind, value }, decoded) {
  const polluted = Object.keys(Object.prototype);
  if (polluted.length > 0) return { mark: "polluted", found: `Object.prototype has ${polluted.join(", ")}` };
  if (typeof decoded !== "object" || decoded === null) return changed(describe(decoded));
  const other = Reflect.ownKeys(decoded).find((key) => typeof key === "string" && /^value./i.test(key));
  const key = "value" in decoded || other === undefined ? "value" : other;
  const found = decoded instanceof Map ? decoded.get("value") : decoded[key];
  if (value === undefined) {
    if (found !== undefined) return changed(describe(found));
    return Object.hasOwn(decoded, "value") ? SAME : form("absent");
  }
  if (kind === "map") return judgeKey(found);
  if (typeof value === "number" || typeof value === "bigint") return judgeNumber(value, found);
  if (typeof value === "string") return found === value ? SAME : changed(describe(found));
  if (value instanceof Date) return judgeDate(value, found);
  if (Array.isArray(value)) return judgeHole(found);
  return judgeNumbers(/** @type {Float64Array | Uint8Array} */ (value), found);
}
