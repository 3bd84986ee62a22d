// From samples to figures, as src/serbench/measure/statistics.py computes them; a test holds the two together.

/** @typedef {{value: number, low: number, high: number}} Interval */
/** A figure by the number of its launch. @typedef {Map<number, number>} Figures */
/** @typedef {{row: number, launch: number, round: number, position: number, started: number, iterations: number, wall: number[], disturbed: string}} Sample */

export const LEAST_LAUNCHES = 2;
/** Launches: of so many, a part of those with the most extreme ratios does not count, at each end. */
const [TRIMMED_FROM, TRIM] = [10, 0.15];
const CONFIDENCE = 0.95;
/** Launches: their range is an interval of the median of all that could be made. */
const MEDIAN_FROM = 5;
const SHORT_RUNS = 7;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function for x > 0.5, by Lanczos. @param {number} x */
function logGamma(x) {
  const z = x - 1;
  const base = z + 7.5;
  let sum = LANCZOS[0];
  for (let n = 1; n < LANCZOS.length; n++) sum += LANCZOS[n] / (z + n);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz. @param {number} x @param {number} a @param {number} b */
function betaFraction(x, a, b) {
  const tiny = 1e-300;
  const kept = (/** @type {number} */ v) => (Math.abs(v) < tiny ? tiny : v);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}

/** The regularised incomplete beta function. @param {number} x @param {number} a @param {number} b */
function incompleteBeta(x, a, b) {
  const front = Math.exp(
    logGamma(a + b + 1) - Math.log(a + b) - (logGamma(a + 1) - Math.log(a)) - (logGamma(b + 1) - Math.log(b))
      + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** @type {Map<number, number>} */
const quantiles = new Map();

/**
 * Student's t for a two-sided 95 % interval, by bisection of the probability outside of it.
 * @param {number} freedom Degrees of freedom, above 0; a fraction where variances differ.
 */
export function tQuantile(freedom) {
  const known = quantiles.get(freedom);
  if (known !== undefined) return known;
  const outside = (/** @type {number} */ t) => incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  let low = 0;
  let high = 16;
  while (outside(high) > 0.05) high *= 2;
  for (let n = 0; n < 200 && high - low > 1e-14 * high; n++) {
    const middle = (low + high) / 2;
    if (outside(middle) > 0.05) low = middle;
    else high = middle;
  }
  quantiles.set(freedom, (low + high) / 2);
  return (low + high) / 2;
}

/** @param {number[]} values */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The n - 1 variance of two values or more. @param {number[]} values */
function variance(values) {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/** The mean and its 95 % interval by Student's t; infinite bounds with one value. @param {number[]} values @returns {Interval} */
function tInterval(values) {
  const value = mean(values);
  if (values.length < LEAST_LAUNCHES) return { value, low: -Infinity, high: Infinity };
  const half = tQuantile(values.length - 1) * Math.sqrt(variance(values) / values.length);
  return { value, low: value - half, high: value + half };
}

/** @type {Map<number, {k: number, way: number}>} */
const boundsBySize = new Map();

/** Where the interval of a median begins, between the k-th smallest value and the next (Hettmansperger and Sheather 1986). @param {number} size */
function boundsOfMedian(size) {
  const known = boundsBySize.get(size);
  if (known) return known;
  // The probability that at least k of `size` lie below the median is a regularised incomplete beta function.
  const confidence = (/** @type {number} */ k) => 2 * incompleteBeta(0.5, k, size - k + 1) - 1;
  let k = 1;
  while (confidence(k + 1) >= CONFIDENCE) k += 1;
  const spare = Math.max(0, (confidence(k) - CONFIDENCE) / (confidence(k) - confidence(k + 1)));
  const found = { k, way: ((size - k) * spare) / (k + (size - 2 * k) * spare) };
  boundsBySize.set(size, found);
  return found;
}

/** The 95 % interval of the median of all launches, with the mean of those inside; of fewer than five the mean and Student's. @param {number[]} values @returns {Interval} */
export function timeInterval(values) {
  if (values.length < MEDIAN_FROM) return tInterval(values);
  const ordered = [...values].sort((a, b) => a - b);
  const { k, way } = boundsOfMedian(ordered.length);
  const at = (/** @type {number} */ outer, /** @type {number} */ inner) => (1 - way) * ordered[outer] + way * ordered[inner];
  return { value: mean(ordered.slice(k, -k)), low: at(k - 1, k), high: at(ordered.length - k, ordered.length - k - 1) };
}

/** @param {Interval} logs @returns {Interval} */
function exponential(logs) {
  return { value: Math.exp(logs.value), low: Math.exp(logs.low), high: Math.exp(logs.high) };
}

/**
 * The mean of values and its 95 % interval; of ten or more 15 % at each end, rounded down, do not count (Yuen 1974).
 * @param {number[]} values @returns {Interval}
 */
export function trimmedInterval(values) {
  if (values.length < TRIMMED_FROM) return tInterval(values);
  const ordered = [...values].sort((a, b) => a - b);
  const cut = Math.floor(TRIM * ordered.length);
  const kept = ordered.slice(cut, ordered.length - cut);
  const winsorized = ordered.map((value) => Math.min(Math.max(value, kept[0]), kept[kept.length - 1]));
  const value = mean(kept);
  const error = Math.sqrt((variance(winsorized) * (values.length - 1)) / (kept.length * (kept.length - 1)));
  const half = tQuantile(kept.length - 1) * error;
  return { value, low: value - half, high: value + half };
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
  return logs.length ? exponential(trimmedInterval(logs)) : null;
}

/** The logarithm of a ratio: its mean, its standard error, and the error's degrees of freedom. @typedef {{mean: number, error: number, freedom: number}} LogRatio */

/**
 * a / b of rows of different runs, whose launches have nothing in common, by Welch.
 * @param {number[]} a @param {number[]} b @returns {LogRatio | null} null with fewer than two launches, or for a figure not positive
 */
export function logRatio(a, b) {
  if (Math.min(a.length, b.length) < LEAST_LAUNCHES || a.some((ns) => ns <= 0) || b.some((ns) => ns <= 0)) return null;
  const [x, y] = [a.map(Math.log), b.map(Math.log)];
  const [u, v] = [variance(x) / x.length, variance(y) / y.length];
  const [p, q] = [x.length - 1, y.length - 1];
  const freedom = u + v === 0 ? p + q : (u + v) ** 2 / (u ** 2 / p + v ** 2 / q);
  return { mean: mean(x) - mean(y), error: Math.sqrt(u + v), freedom };
}

/** @param {LogRatio} ratio @returns {Interval} */
export function ratioInterval({ mean: value, error, freedom }) {
  const half = tQuantile(freedom) * error;
  return exponential({ value, low: value - half, high: value + half });
}

/** How probable such figures would be at most, were the true logarithm `limit` or less. @param {LogRatio} ratio @param {number} limit */
export function probabilityAbove({ mean: value, error, freedom }, limit) {
  const distance = value - limit;
  if (error === 0) return distance > 0 ? 0 : 1;
  const t = distance / error;
  const tail = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  return t > 0 ? tail : 1 - tail;
}

/** Whether a net time is not proved to be above 0. @param {Interval} net */
export function reachesZero(net) {
  return net.value <= 0 || (Number.isFinite(net.low) && net.low <= 0);
}

/** Whether a row reads "at the floor": its net time may be 0, and is less than the baseline's time. @param {Figures} raw @param {Figures} net */
export function atFloor(raw, net) {
  if (!net.size) return false;
  const [own, all] = [timeInterval([...net.values()]), timeInterval([...net.keys()].map((launch) => raw.get(launch) ?? 0))];
  return reachesZero(own) && 2 * own.value < all.value;
}

/** The plain median of all chunks. @param {Sample[]} samples */
export function typical(samples) {
  return median(samples.flatMap((s) => s.wall.map((ns) => ns / s.iterations)));
}

/**
 * The 2016 suite's statistic: of seven consecutive groups of chunks the best and the worst are dropped.
 * @param {Sample[]} samples @returns {{mean: number, deviation: number} | null}
 */
export function shortRuns(samples) {
  const ordered = [...samples].sort((a, b) => a.launch - b.launch || a.round - b.round || a.started - b.started);
  const wall = ordered.flatMap((s) => s.wall);
  const iterations = ordered.flatMap((s) => s.wall.map(() => s.iterations));
  const size = Math.floor(wall.length / SHORT_RUNS);
  if (!size) return null;
  const means = [];
  for (let start = wall.length - SHORT_RUNS * size; start < wall.length; start += size) {
    const sum = (/** @type {number[]} */ of) => of.slice(start, start + size).reduce((a, b) => a + b, 0);
    means.push(sum(wall) / sum(iterations));
  }
  const middle = means.sort((a, b) => a - b).slice(1, -1);
  return { mean: mean(middle), deviation: Math.sqrt(variance(middle)) };
}

/**
 * Ranks: 1 + the number of rows proved faster by more than `threshold`; null with fewer than two launches.
 * @param {{raw: Figures, net: Figures}[]} rows @param {number} threshold @returns {(number | null)[]}
 */
export function ranks(rows, threshold) {
  const plain = rows.map(({ raw, net }) => {
    const launches = [...raw.keys()];
    return {
      launches,
      raw: launches.map((n) => Math.log(raw.get(n) ?? NaN)),
      net: launches.map((n) => Math.log(Math.max(net.get(n) ?? 0, 0))),
    };
  });
  const least = Math.log(1 + threshold);
  return plain.map((row) =>
    row.launches.length < LEAST_LAUNCHES
      ? null
      : 1 + plain.reduce((sum, other) => sum + (other !== row && provedFaster(other, row, least) ? 1 : 0), 0));
}

/** @typedef {{launches: number[], raw: number[], net: number[]}} Logs */

/** @param {Logs} a @param {Logs} b @param {number} least */
function provedFaster(a, b, least) {
  const pairs = [];
  const same = a.launches.length === b.launches.length && a.launches.every((n, i) => n === b.launches[i]);
  for (let i = 0; i < a.launches.length; i++) {
    const j = same ? i : b.launches.indexOf(a.launches[i]);
    if (j >= 0) pairs.push([i, j]);
  }
  if (pairs.length < LEAST_LAUNCHES) return false;
  const use = pairs.every(([i, j]) => a.net[i] > -Infinity && b.net[j] > -Infinity) ? "net" : "raw";
  const logs = pairs.map(([i, j]) => b[use][j] - a[use][i]);
  if (logs.length < TRIMMED_FROM && !(mean(logs) > least)) return false; // most pairs end here
  return trimmedInterval(logs).low > least;
}
