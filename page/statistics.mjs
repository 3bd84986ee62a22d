// Ratios of rows that are put beside each other on the page, as src/serbench/measure/comparison.py forms them.

import { above, quantile } from "./student.mjs";

/** @typedef {{value: number, low: number, high: number}} Interval */
/** @typedef {import("./rows.mjs").Figures} Figures */
/** The logarithm of a ratio: its mean, its standard error, and the error's degrees of freedom. @typedef {{mean: number, error: number, freedom: number}} LogRatio */

const LEAST_LAUNCHES = 2;
/** Launches: of so many, a part of those with the most extreme ratios does not count, at each end. */
const [TRIMMED_FROM, TRIM] = [10, 0.15];

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function variance(values) {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/**
 * The mean of some logarithms and its error; of ten or more 15 % at each end, rounded down, do not count (Yuen 1974).
 * @param {number[]} logs @returns {LogRatio}
 */
function centre(logs) {
  const ordered = [...logs].sort((a, b) => a - b);
  const cut = logs.length < TRIMMED_FROM ? 0 : Math.floor(TRIM * logs.length);
  const kept = ordered.slice(cut, logs.length - cut);
  const winsorized = ordered.map((value) => Math.min(Math.max(value, kept[0]), kept[kept.length - 1]));
  const error = Math.sqrt((variance(winsorized) * (logs.length - 1)) / (kept.length * (kept.length - 1)));
  return { mean: mean(kept), error, freedom: kept.length - 1 };
}

/**
 * a / b, paired within launches; null without a common launch, or when a figure in one is not positive.
 * @param {Figures} a @param {Figures} b @returns {Interval | null}
 */
export function pairedRatio(a, b) {
  const logs = [];
  for (const [launch, ns] of a) {
    const other = b.get(launch);
    if (other === undefined) continue;
    if (ns <= 0 || other <= 0) return null;
    logs.push(Math.log(ns) - Math.log(other));
  }
  if (logs.length < LEAST_LAUNCHES) return logs.length ? { value: Math.exp(logs[0]), low: 0, high: Infinity } : null;
  return ratioInterval(centre(logs));
}

/**
 * a / b of rows of different runs, whose launches have nothing in common, by Welch.
 * @param {Figures} a @param {Figures} b @returns {LogRatio | null} null with fewer than two launches, or for a figure not positive
 */
export function logRatio(a, b) {
  const [p, q] = [a.size - 1, b.size - 1];
  if (Math.min(a.size, b.size) < LEAST_LAUNCHES || [...a.values(), ...b.values()].some((ns) => ns <= 0)) return null;
  const [x, y] = [a, b].map((figures) => [...figures.values()].map(Math.log));
  const [u, v] = [variance(x) / x.length, variance(y) / y.length];
  const freedom = u + v === 0 ? p + q : (u + v) ** 2 / (u ** 2 / p + v ** 2 / q);
  return { mean: mean(x) - mean(y), error: Math.sqrt(u + v), freedom };
}

/** The ratio with its 95 % interval, by Student's t. @param {LogRatio} ratio @returns {Interval} */
export function ratioInterval({ mean: value, error, freedom }) {
  const half = quantile(freedom) * error;
  return { value: Math.exp(value), low: Math.exp(value - half), high: Math.exp(value + half) };
}

/** How probable such figures would be at most, were the true logarithm `limit` or less. @param {LogRatio} ratio @param {number} limit */
export function probabilityAbove({ mean: value, error, freedom }, limit) {
  const distance = value - limit;
  if (error === 0) return distance > 0 ? 0 : 1;
  return above(distance / error, freedom);
}
