/** The loop and the clock around a row's iterations. */
import { GCProfiler } from "node:v8";

const HEAP_WARMUP = 60;
const HEAP_COUNTS = 24;
const LOOKS = 20;

/** @typedef {{ iterate(job: import("./task.mjs").Job): number }} Task */

/**
 * Runs a task `iterations` times; returns the hash of the last.
 * @param {Task} task
 * @param {import("./task.mjs").Job} job
 * @param {number} iterations
 */
export function repeat(task, job, iterations) {
  let state = 0;
  for (let i = 0; i < iterations; i++) state = task.iterate(job);
  return state;
}

/**
 * Times `chunks` chunks of `iterations` iterations each, in nanoseconds.
 * @param {Task} task
 * @param {import("./task.mjs").Job} job
 * @param {number} iterations
 * @param {number} chunks
 */
export function timeChunks(task, job, iterations, chunks) {
  const wall = new Array(chunks).fill(0);
  const cpu = new Array(chunks).fill(0);
  let state = 0;
  for (let i = 0; i < chunks; i++) {
    const used = process.cpuUsage();
    const start = process.hrtime.bigint();
    state = repeat(task, job, iterations);
    wall[i] = Number(process.hrtime.bigint() - start);
    const after = process.cpuUsage(used);
    cpu[i] = (after.user + after.system) * 1000;
  }
  return { wall, cpu, state };
}

/**
 * The bytes that one iteration allocates, on V8's heap and in array buffers; null where that cannot be
 * known: without --expose-gc, or when a collection fell into the iteration.
 *
 * The mean of the middle half of the counts: V8 compiles now and then, and what that takes is no work of the
 * library's; some libraries allocate more in every second call.
 * @param {Task} task
 * @param {import("./task.mjs").Job} job
 */
export function heapBytes(task, job) {
  if (typeof globalThis.gc !== "function") return null;
  repeat(task, job, HEAP_WARMUP);
  const counts = [];
  for (let i = 0; i < HEAP_COUNTS; i++) {
    const bytes = countedBytes(task, job, globalThis.gc);
    if (bytes === null) return null;
    counts.push(bytes);
  }
  counts.sort((a, b) => a - b);
  const middle = counts.slice(HEAP_COUNTS / 4, (3 * HEAP_COUNTS) / 4);
  return Math.round(middle.reduce((sum, bytes) => sum + bytes) / middle.length);
}

/**
 * What one iteration right after a collection and an uncounted iteration allocates.
 * @param {Task} task
 * @param {import("./task.mjs").Job} job
 * @param {() => void} collect
 */
function countedBytes(task, job, collect) {
  collect();
  task.iterate(job);
  const profiler = new GCProfiler();
  profiler.start();
  // Looking allocates as well, most of all the first times, when it is compiled.
  let looking = Number.POSITIVE_INFINITY;
  let before = process.memoryUsage();
  for (let i = 0; i < LOOKS; i++) {
    const next = process.memoryUsage();
    looking = Math.min(looking, next.heapUsed - before.heapUsed);
    before = next;
  }
  task.iterate(job);
  const after = process.memoryUsage();
  if (profiler.stop().statistics.length > 0) return null;
  return after.heapUsed - before.heapUsed - looking + after.arrayBuffers - before.arrayBuffers;
}
