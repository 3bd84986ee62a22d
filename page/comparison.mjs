// Two runs against each other by the rules of src/serbench/report/compare.py and measure/comparison.py: what is
// not proved is undecided, and where unchanged programs took another time nothing is said of the others.

import { figuresOf, hasNet } from "./rows.mjs";
import { logRatio, probabilityAbove, ratioInterval } from "./statistics.mjs";
import { groupKey, HERE, keyOf, rowsOn } from "./view.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./rows.mjs").RunData} RunData */
/** @typedef {import("./statistics.mjs").Interval} Interval */
/** @typedef {import("./statistics.mjs").LogRatio} LogRatio */
/** @typedef {"faster" | "slower" | "no difference" | "undecided"} Verdict */
/**
 * A row that both runs have. `ratio` is new over old; `control` marks the same program, by which times are judged.
 * @typedef {{was: Row, is: Row, ratio: Interval | null, basis: "net" | "raw" | null, verdict: Verdict, reason: string, control: boolean}} Pair
 */

const LEVEL = 0.025;
/** @type {[string, string][]} */
const MACHINE = [["processor", "cpu"], ["architecture", "architecture"], ["number of processors", "cores"], ["hypervisor", "virtual"]];

/** What differs between the machines of two runs. @param {RunData} was @param {RunData} is */
export function machineChanges(was, is) {
  return MACHINE.filter(([, name]) => (was.machine[name] ?? "") !== (is.machine[name] ?? "")).map(([what]) => what);
}

/** @param {Row} row */
function pairKey(row) {
  return `${groupKey(row)} ${keyOf(row)}`;
}

/**
 * Every timed row that both runs have, in the order of the old one.
 * @param {RunData} was @param {RunData} is @param {number} threshold the least relative difference that counts
 * @returns {Pair[]}
 */
export function compareRuns(was, is, threshold) {
  const after = new Map(rowsOn(is, HERE).map((row) => [pairKey(row), row]));
  /** @type {[Row, Row][]} */
  const both = rowsOn(was, HERE).flatMap((row) => {
    const now = after.get(pairKey(row));
    return now ? [/** @type {[Row, Row]} */ ([row, now])] : [];
  });
  const moved = machineChanges(was, is);
  const data = new Map(was.datasets.map((/** @type {any} */ d) => [d.name, d.tape_sha256]));
  const changed = new Set(is.datasets.filter((/** @type {any} */ d) => (data.get(d.name) ?? d.tape_sha256) !== d.tape_sha256).map((/** @type {any} */ d) => d.name));
  const unchanged = (/** @type {Row} */ a, /** @type {Row} */ b) => isUnchanged(a, b, was, is);
  const controls = controlReasons(both, was, is, changed, threshold, unchanged);
  /** @type {(LogRatio | null)[]} */
  const judged = [];
  const pairs = both.map(([before, now]) => {
    const control = unchanged(before, now);
    let reason = changed.has(before.dataset) ? "the data differ" : stateReason(before, now)
      || (moved.length ? `the machines differ (${moved.join(", ")})` : "");
    const found = reason ? null : timeRatio(before, was, now, is);
    if (!reason && !control) reason = controls.get(groupKey(now)) ?? "";
    judged.push(reason || control ? null : found?.log ?? null);
    if (!found) reason ||= "too few launches";
    return /** @type {Pair} */ ({
      was: before, is: now, control, reason, verdict: "undecided", ratio: found && ratioInterval(found.log), basis: found && found.basis,
    });
  });
  judge(judged, threshold).forEach((verdict, n) => { pairs[n].verdict = verdict; });
  return pairs.filter(({ is: row }) => row.role === "contender");
}

/** @param {Row} before @param {Row} now */
function stateReason(before, now) {
  return [["old", before], ["new", now]].flatMap(([side, row]) => {
    const { status, reason } = /** @type {Row} */ (row);
    return status === "ok" ? [] : [`${side}: ${status}${reason ? `: ${reason}` : ""}`];
  }).join("; ");
}

/** Whether two rows are the same program, as far as the files tell. @param {Row} a @param {Row} b @param {RunData} was @param {RunData} is */
function isUnchanged(a, b, was, is) {
  if (a.program && b.program) return a.program === b.program;
  return ["library_version", "origin", "compiler", "flags"].every((name) => a[name] === b[name]) && a.compiler !== "" && was.serbench === is.serbench;
}

/** New over old: of net times, or of raw ones where a net time may be 0. @param {Row} before @param {RunData} was @param {Row} now @param {RunData} is */
function timeRatio(before, was, now, is) {
  const basis = hasNet(now) && hasNet(before) ? "net" : "raw";
  const log = logRatio(figuresOf(now)[basis], figuresOf(before)[basis]);
  return log && { log, basis };
}

/**
 * Why the times of a group cannot be compared, by group; empty where the unchanged programs took the same time.
 * @param {[Row, Row][]} both @param {RunData} was @param {RunData} is @param {Set<string>} changed @param {number} threshold
 * @param {(a: Row, b: Row) => boolean} unchanged
 */
function controlReasons(both, was, is, changed, threshold, unchanged) {
  /** @type {Map<string, {name: string, mean: number} | null>} */
  const worst = new Map();
  for (const [before, now] of both) {
    const group = groupKey(now);
    if (!worst.has(group)) worst.set(group, null);
    if (changed.has(before.dataset) || !unchanged(before, now)) continue;
    const log = logRatio(figuresOf(now).raw, figuresOf(before).raw);
    const known = worst.get(group);
    if (log && (!known || Math.abs(log.mean) > Math.abs(known.mean))) worst.set(group, { name: now.contender, mean: log.mean });
  }
  return new Map([...worst].map(([group, found]) => [group,
    !found ? "no unchanged program was measured beside it in both runs"
      : Math.abs(found.mean) > Math.log1p(threshold) ? `the unchanged ${found.name} took ${Math.exp(found.mean).toFixed(3)} times as long` : ""]));
}

/** @param {(LogRatio | null)[]} ratios @param {number} threshold @returns {Verdict[]} */
export function judge(ratios, threshold) {
  const limit = Math.log(1 + threshold);
  const known = ratios.flatMap((ratio, n) => (ratio ? [n] : []));
  const at = (/** @type {number} */ n) => /** @type {LogRatio} */ (ratios[n]);
  const slower = holm(known.map((n) => probabilityAbove(at(n), limit)));
  const faster = holm(known.map((n) => probabilityAbove({ ...at(n), mean: -at(n).mean }, limit)));
  /** @type {Verdict[]} */
  const verdicts = ratios.map(() => "undecided");
  known.forEach((n, place) => {
    const { low, high } = ratioInterval(at(n));
    if (slower[place]) verdicts[n] = "slower";
    else if (faster[place]) verdicts[n] = "faster";
    else if (low >= 1 / (1 + threshold) && high <= 1 + threshold) verdicts[n] = "no difference";
  });
  return verdicts;
}

/** Holm's step-down procedure. @param {number[]} probabilities @returns {boolean[]} */
function holm(probabilities) {
  const fallen = probabilities.map(() => false);
  const order = probabilities.map((_, n) => n).sort((a, b) => probabilities[a] - probabilities[b]);
  for (const [passed, n] of order.entries()) {
    if (probabilities[n] > LEVEL / (probabilities.length - passed)) break;
    fallen[n] = true;
  }
  return fallen;
}
