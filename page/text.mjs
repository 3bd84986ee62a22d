// Figures and names as text, as src/serbench/text.py writes them.

export const NONE = "–";
/** @type {[string, number][]} */
const UNITS = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]];
const MOST_DECIMALS = 4;
const LONGEST_LINE = 160;
/** By decimals; making one takes far longer than using it. */
const FIXED = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) =>
  new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Any text with its control, format and separator characters shown as escapes. @param {unknown} text */
export function visible(text) {
  return String(text ?? "").replace(UNSEEN, (character) => {
    const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    if (known) return known;
    const code = character.codePointAt(0) ?? 0;
    const [mark, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return `\\${mark}${code.toString(16).padStart(/** @type {number} */ (width), "0")}`;
  });
}

/** The last line with anything in it of a worker's error output, made visible and shortened. @param {string} output */
export function lastLine(output) {
  const line = visible(output.split(/\r\n|[\n\r]/).map((text) => text.trim()).findLast(Boolean) ?? "");
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}

/** The unit in which these times read best. @param {(number | null)[]} times @returns {[string, number]} */
export function unitFor(times) {
  const positive = times.filter((t) => t !== null && t > 0).map(Number).sort((a, b) => a - b);
  const middle = positive.length ? positive[positive.length >> 1] : 1;
  return UNITS.findLast(([, scale]) => scale <= middle) ?? UNITS[0];
}

/** A number with so many significant digits, at most four decimals, no exponent. @param {number | null | undefined} value @param {number} [digits] */
export function significant(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const rounded = Number(value.toPrecision(digits));
  if (rounded === 0) return "0";
  const before = Math.floor(Math.log10(Math.abs(rounded))) + 1;
  const decimals = digits - before - (before <= 0 ? 1 : 0);
  return fixed(rounded, Math.min(Math.max(0, decimals), MOST_DECIMALS));
}

/** @param {number} value @param {number} decimals */
function fixed(value, decimals) {
  return FIXED[decimals].format(value);
}

/** A number of things; one decimal for a mean of such numbers. @param {number | null | undefined} number */
export function count(number) {
  if (number === null || number === undefined || !Number.isFinite(number)) return NONE;
  return fixed(number, Number.isInteger(number) ? 0 : 1);
}

/** A time in the unit in which it reads best. @param {number | null | undefined} ns @param {number} [digits] */
export function duration(ns, digits = 3) {
  if (ns === null || ns === undefined) return NONE;
  const [unit, scale] = unitFor([Math.abs(ns)]);
  return `${significant(ns / scale, digits)} ${unit}`;
}

/** Half an interval in percent of its value, without the sign ±. @param {number} half @param {number} value */
export function relative(half, value) {
  if (!value || !Number.isFinite(half)) return "?";
  const percent = 100 * Math.abs(half / value);
  return percent < 9.95 ? `${percent.toFixed(1)}%` : percent < 999.5 ? `${percent.toFixed(0)}%` : ">999%";
}

/** A part such as 0.02 as `2 %`. @param {number} part */
export function percent(part) {
  return `${Number((100 * part).toPrecision(3))} %`;
}

/** A ratio: `1.00×`, `12.3×`. @param {number | null | undefined} ratio */
export function times(ratio) {
  return ratio === null || ratio === undefined ? NONE : `${significant(ratio, 3)}×`;
}

/** Memory in words. @param {number} bytes */
export function size(bytes) {
  let value = bytes;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (value < 1024) return unit === "B" ? `${value} B` : `${value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return `${value.toFixed(1)} TiB`;
}
