// From samples to the figures of launches, as src/serbench/measure/launches.py does it; a test holds the two together.

/** @typedef {import("./statistics.mjs").Figures} Figures */
/** @typedef {import("./statistics.mjs").Sample} Sample */

import { median } from "./statistics.mjs";

/** Undisturbed samples of a row in a launch that leave the disturbed ones out, where the shortest chunk counts. */
const ENOUGH = 3;
const SWEEPS = 2;
/** A row that was sampled in more of a launch's turns than this part of them tells how fast they were. */
const TELLING = 0.75;
/** So many rows at least must tell it where means count, since a collection in one of them has to stay in. */
const WITNESSES = 5;

/** @param {Sample} sample */
export function shortest(sample) {
  return sample.wall.reduce((a, b) => Math.min(a, b)) / sample.iterations;
}

/**
 * Those of one row's samples of one launch that count: the undisturbed ones, if they are enough. Of a mean one is.
 * @param {Sample[]} taken @param {string} statistic
 */
function undisturbed(taken, statistic) {
  const calm = taken.filter((sample) => !sample.disturbed);
  const enough = statistic === "mean" ? 1 : Math.min(ENOUGH, taken.length / 2);
  return calm.length && calm.length >= enough ? calm : taken;
}

/** The logarithm of a sample's time per iteration: of its shortest chunk, or of all. @param {Sample} sample @param {string} statistic */
function logOf(sample, statistic) {
  const sum = sample.wall.reduce((a, b) => a + b, 0);
  const time = statistic === "mean" ? sum / sample.wall.length : shortest(sample) * sample.iterations;
  return Math.log(Math.max(1, time) / sample.iterations);
}

/**
 * The samples by row, turn by turn: rounds as they followed one another.
 * @param {Map<number, Sample[]>} samples @returns {Map<number, Sample>[]}
 */
function turnsOf(samples) {
  const everyone = [...samples].flatMap(([row, taken]) => taken.map((sample) => ({ row, sample })));
  everyone.sort((a, b) => a.sample.started - b.sample.started || a.sample.round - b.sample.round);
  /** @type {Map<number, Sample>[]} */
  const turns = [];
  let [last, position] = [-1, -1];
  for (const { row, sample } of everyone) {
    if (sample.round !== last || turns[turns.length - 1].has(row) || sample.position < position) turns.push(new Map());
    [last, position] = [sample.round, sample.position];
    turns[turns.length - 1].set(row, sample);
  }
  return turns;
}

/** @param {Map<number, Sample>[]} turns @param {string} statistic @returns {Map<number, number>[]} */
function logsOf(turns, statistic) {
  return turns.map((turn) => new Map([...turn].map(([row, sample]) => [row, logOf(sample, statistic)])));
}

/** @param {Map<number, number>[]} turns @param {number[]} factors */
function rowMedians(turns, factors) {
  /** @type {Map<number, number[]>} */
  const byRow = new Map();
  for (const [at, turn] of turns.entries()) {
    for (const [row, log] of turn) {
      const known = byRow.get(row);
      if (known) known.push(log - factors[at]);
      else byRow.set(row, [log - factors[at]]);
    }
  }
  return new Map([...byRow].map(([row, logs]) => [row, median(logs)]));
}

/**
 * How slow the machine was in each turn of `counted`, as logarithms whose median is 0, by median polish.
 * @param {Map<number, Sample[]>} taken @param {Map<number, Sample[]>} counted those of them that count
 * @param {string} statistic
 */
function factorsOf(taken, counted, statistic) {
  const turns = logsOf(turnsOf(counted), statistic);
  const most = TELLING * turnsOf(taken).length;
  const telling = new Set([...taken].filter(([, samples]) => samples.length > most).map(([row]) => row));
  const least = statistic === "mean" ? WITNESSES : 1;
  let factors = turns.map(() => 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const middles = rowMedians(turns, factors);
    const off = turns.map((turn) =>
      [...turn].filter(([row]) => telling.has(row)).map(([row, log]) => log - (middles.get(row) ?? NaN)),
    );
    const known = off.filter((each) => each.length >= least).map(median);
    const usual = known.length ? median(known) : 0;
    factors = off.map((each) => (each.length >= least ? median(each) - usual : 0));
  }
  return factors;
}

/** The median over the turns of the shortest chunk. @param {Map<number, Sample>[]} turns @param {number[]} factors */
function middlesOf(turns, factors) {
  const middles = rowMedians(logsOf(turns, "shortest-chunk"), factors);
  return new Map([...middles].map(([row, middle]) => [row, Math.exp(middle)]));
}

/** The mean over all chunks, each weighing as many iterations as it has. @param {Map<number, Sample>[]} turns @param {number[]} factors */
function meansOf(turns, factors) {
  /** @type {Map<number, { wall: number, iterations: number }>} */
  const sums = new Map();
  for (const [at, turn] of turns.entries()) {
    for (const [row, sample] of turn) {
      const sum = sums.get(row) ?? { wall: 0, iterations: 0 };
      sum.wall += sample.wall.reduce((a, b) => a + b, 0) / Math.exp(factors[at]);
      sum.iterations += sample.iterations * sample.wall.length;
      sums.set(row, sum);
    }
  }
  return new Map([...sums].map(([row, sum]) => [row, sum.wall / sum.iterations]));
}

/**
 * The figures by row and launch of rows that were measured together.
 * @param {Map<number, Sample[]>} samples @param {Map<number, string>} statistics @returns {Map<number, Figures>}
 */
export function groupFigures(samples, statistics) {
  /** @type {Map<number, Map<number, Sample[]>>} */
  const launches = new Map();
  for (const [row, taken] of samples) {
    for (const sample of taken) {
      const launch = launches.get(sample.launch) ?? new Map();
      launches.set(sample.launch, launch);
      const known = launch.get(row);
      if (known) known.push(sample);
      else launch.set(row, [sample]);
    }
  }
  /** @type {Map<number, Figures>} */
  const figures = new Map([...samples.keys()].map((row) => [row, new Map()]));
  for (const number of [...launches.keys()].sort((a, b) => a - b)) {
    const taken = launches.get(number) ?? new Map();
    for (const statistic of new Set([...taken.keys()].map((row) => statistics.get(row) ?? ""))) {
      const alike = new Map([...taken].filter(([row]) => statistics.get(row) === statistic));
      const counted = new Map([...alike].map(([row, samples]) => [row, undisturbed(samples, statistic)]));
      const found = (statistic === "mean" ? meansOf : middlesOf)(turnsOf(counted), factorsOf(alike, counted, statistic));
      for (const [row, figure] of found) figures.get(row)?.set(number, figure);
    }
  }
  return figures;
}
