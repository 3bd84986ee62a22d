/**
 * A reader of known cost: steps, as many as the input begins with, then the hash of values that are there: of all
 * kinds, or where a letter follows of texts, integers, doubles or none.
 */
import { takeSteps } from "./steps.mjs";

const texts = Array.from({ length: 64 }, () => "x".repeat(1000));
export let sink = 0;

/** @param {Buffer} data */
export function read(data) {
  sink = takeSteps(Number(data.latin1Slice(0, 8)));
  return data.latin1Slice(8, 9);
}

/**
 * @param {string} kind
 * @param {{ string(text: string): void, number(value: number): void, count(count: number): void }} hash
 */
export function walk(kind, hash) {
  const numbers = kind === "a" ? 100 : 1000;
  if (kind === "a" || kind === "t") for (let i = 0; i < texts.length; i++) hash.string(texts[i]);
  if (kind === "a" || kind === "i") for (let i = 0; i < numbers; i++) hash.number(i * 1234567);
  if (kind === "a" || kind === "d") for (let i = 0; i < numbers; i++) hash.number(i + 0.5);
  hash.count(texts.length);
}
