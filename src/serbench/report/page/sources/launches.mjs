// From samples to the figures of launches, as src/serbench/measure/launches.py does it; a test holds the two together.

/** @typedef {import("./statistics.mjs").Figures} Figures */
/** @typedef {import("./statistics.mjs").Sample} Sample */

import { median } from "./statistics.mjs";

/** Undisturbed samples of a row in a launch that leave the disturbed ones out. */
const ENOUGH = 3;
const SWEEPS = 2;
/** A row that was sampled in more of a launch's turns than this part of them tells how fast they were. */
const TELLING = 0.75;

/** @param {Sample} sample */
export function shortest(sample) {
  return sample.wall.reduce((a, b) => Math.min(a, b)) / sample.iterations;
}

/** Those of one row's samples of one launch that count: the undisturbed ones, if they are enough. @param {Sample[]} taken */
function undisturbed(taken) {
  const calm = taken.filter((sample) => !sample.disturbed);
  return calm.length && calm.length >= Math.min(ENOUGH, taken.length / 2) ? calm : taken;
}

/** The mean over all chunks, each weighing as many iterations as it has. @param {Sample[]} samples */
function meanFigure(samples) {
  const wall = samples.reduce((sum, s) => sum + s.wall.reduce((a, b) => a + b, 0), 0);
  return wall / samples.reduce((sum, s) => sum + s.iterations * s.wall.length, 0);
}

/**
 * The logarithm of each sample's shortest chunk, by row, turn by turn: rounds as they followed one another.
 * @param {Map<number, Sample[]>} samples @returns {Map<number, number>[]}
 */
function turnsOf(samples) {
  const everyone = [...samples].flatMap(([row, taken]) => taken.map((sample) => ({ row, sample })));
  everyone.sort((a, b) => a.sample.started - b.sample.started || a.sample.round - b.sample.round);
  /** @type {Map<number, number>[]} */
  const turns = [];
  let [last, position] = [-1, -1];
  for (const { row, sample } of everyone) {
    if (sample.round !== last || turns[turns.length - 1].has(row) || sample.position < position) turns.push(new Map());
    [last, position] = [sample.round, sample.position];
    turns[turns.length - 1].set(row, Math.log(Math.max(1 / sample.iterations, shortest(sample))));
  }
  return turns;
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
 * What all rows of a turn share is taken out, by median polish.
 * @param {Map<number, Sample[]>} taken @param {Map<number, Sample[]>} counted those of them that count
 */
function polished(taken, counted) {
  const turns = turnsOf(counted);
  const most = TELLING * turnsOf(taken).length;
  const telling = new Set([...taken].filter(([, samples]) => samples.length > most).map(([row]) => row));
  let middles = rowMedians(turns, turns.map(() => 0));
  for (let sweep = 0; sweep < SWEEPS && turns.length; sweep++) {
    const factors = turns.map((turn) => {
      const off = [...turn].filter(([row]) => telling.has(row)).map(([row, log]) => log - (middles.get(row) ?? NaN));
      return off.length ? median(off) : 0;
    });
    const usual = median(factors);
    middles = rowMedians(turns, factors.map((factor) => factor - usual));
  }
  return new Map([...middles].map(([row, middle]) => [row, Math.exp(middle)]));
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
    const counted = new Map([...taken].map(([row, samples]) => [row, undisturbed(samples)]));
    const some = (/** @type {Map<number, Sample[]>} */ all) =>
      new Map([...all].filter(([row]) => statistics.get(row) === "shortest-chunk"));
    const middles = polished(some(taken), some(counted));
    for (const [row, samples] of counted) figures.get(row)?.set(number, middles.get(row) ?? meanFigure(samples));
  }
  return figures;
}
