// Reading a dropped file. It may come from anywhere: everything in it is checked here by the JSON Schema of run
// files, and what is wrong is said in a sentence.

import { countsOf } from "./rows.mjs";

/** A JSON Schema, as far as the records of a run file need it. @typedef {Record<string, any>} Schema */
/** The schemas of the records, by their names: docs/results-schema.json. @typedef {Record<string, Schema>} Records */

const LONGEST_CHUNK_NS = 2 ** 62;

const isObject = (/** @type {unknown} */ v) => typeof v === "object" && v !== null && !Array.isArray(v);
const isText = (/** @type {unknown} */ v) => typeof v === "string";
/** @type {Record<string, (v: any) => boolean>} */
const CHECKS = {
  string: isText,
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (v) => typeof v === "boolean",
  null: (v) => v === null,
  array: Array.isArray,
  object: isObject,
};

/** What lists of are checked at once, as they are long. */
const SIMPLE = ["string", "number", "integer"];

/** A file that is no run file; its message is for the person who dropped it. */
export class BadFile extends Error {}

/** Return a record with only the known fields, and their defaults. @param {string} name @param {unknown} value @param {Records} records @returns {Record<string, any>} */
function recordOf(name, value, records) {
  if (!isObject(value)) throw new BadFile(`a ${name} is no object`);
  const given = /** @type {Record<string, any>} */ (value);
  const { properties, required = [] } = records[name];
  /** @type {Record<string, any>} */
  const made = {};
  for (const [field, schema] of Object.entries(properties)) {
    const found = Object.hasOwn(given, field) ? given[field] : undefined;
    if (found !== undefined) made[field] = valueOf(found, schema, records, name, field);
    else if (required.includes(field)) throw new BadFile(`a ${name} has no field ${field}`);
    else made[field] = schema.default;
  }
  return made;
}

/** Return a value that is what its schema says. @param {any} value @param {Schema} schema @param {Records} records @param {string} name of the record @param {string} field @returns {any} */
function valueOf(value, schema, records, name, field) {
  if (schema.$ref) return recordOf(schema.$ref.split("/").at(-1), value, records);
  if (schema.anyOf) {
    const others = schema.anyOf.filter((/** @type {Schema} */ { type }) => value === null || type !== "null");
    const fitting = others.find((/** @type {Schema} */ { type }) => type && CHECKS[type](value)) ?? others[0];
    return valueOf(value, fitting, records, name, field);
  }
  const { type, minimum = -Infinity, maximum = Infinity, items, prefixItems, additionalProperties } = schema;
  const fits = schema.enum ? schema.enum.includes(value) : CHECKS[type](value) && (typeof value !== "number" || (value >= minimum && value <= maximum))
    && (!prefixItems || value.length === prefixItems.length);
  if (!fits) throw new BadFile(`the field ${field} of a ${name} is not what it should be (${schema.enum?.join(", ") ?? type})`);
  if (type === "array" && SIMPLE.includes(items?.type) && items.minimum === undefined && value.every(CHECKS[items.type])) return value;
  if (type === "array") return value.map((/** @type {any} */ each, /** @type {number} */ n) => valueOf(each, prefixItems?.[n] ?? items, records, name, field));
  if (type !== "object" || !additionalProperties) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, valueOf(each, additionalProperties, records, name, field)]));
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  if (text.trimStart().startsWith('{"kind":"header"')) {
    throw new BadFile("This is the journal of an interrupted run. Make a page of it: serbench report FILE --html PAGE");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new BadFile("This is not JSON, so not a run file.");
  }
}

/**
 * Return the run in the text of a file, with every default filled in. Throws BadFile.
 * @param {string} text @param {{schema: number, summary: number, records: Records}} known versions and records that this page knows
 */
export function readRun(text, { schema: newest, summary: own, records }) {
  const value = /** @type {any} */ (parsed(text));
  if (!isObject(value) || !Number.isInteger(value.schema) || !isText(value.serbench)) {
    throw new BadFile("This is not a run file of serbench.");
  }
  if (value.schema > newest || value.schema < 1) {
    throw new BadFile(
      `This file has version ${value.schema} of the run file's schema; this page reads versions up to ${newest}.`
      + (value.schema > newest ? " Make a page with the newer serbench that wrote it." : ""),
    );
  }
  const run = checkedFile(value, records);
  if (run.summary?.version !== own) {
    throw new BadFile(`This run file has ${run.summary ? "the summary of another version" : "no summary: an older version"} of serbench${run.summary ? "" : " wrote it"}. `
      + "Make a page of it: ./serbench report FILE --html PAGE");
  }
  return run;
}

/** The run in a parsed file, with every default filled in. Throws BadFile. @param {unknown} value @param {Records} records */
export function checkedFile(value, records) {
  try {
    return checkedRun(value, records);
  } catch (error) {
    if (error instanceof BadFile) throw new BadFile(`This run file is damaged: ${error.message}.`);
    throw error;
  }
}

/** @param {Record<string, any>} run @param {Set<number>} ids those of its rows @param {Set<number>} counted those of microcontrollers */
function checkSummary(run, ids, counted) {
  run.summary.rows = run.summary.rows.filter((/** @type {any} */ { id }) => !counted.has(id));
  run.summary.answer ??= { about: "", findings: [], gains: [] };
  const own = new Set(run.summary.rows.map((/** @type {any} */ { id }) => id));
  if (own.size !== run.summary.rows.length || own.size !== ids.size || [...own].some((id) => !ids.has(id))) throw new BadFile("its summary is of other rows");
}

/** @param {unknown} value @param {Records} records */
function checkedRun(value, records) {
  const run = recordOf("Run", value, records);
  const isCounted = (/** @type {any} */ { test }) => test === "roundtrip";
  const onMicrocontrollers = new Set(run.rows.filter(isCounted).map((/** @type {any} */ { id }) => id));
  run.counts = countsOf(run.rows).map((count) => recordOf("Count", count, records));
  run.rows = run.rows.filter((/** @type {any} */ row) => !isCounted(row));
  const ids = new Set(run.rows.map((/** @type {any} */ { id }) => id));
  const counted = new Set(run.rows.filter((/** @type {any} */ { platform }) => platform).map((/** @type {any} */ { id }) => id));
  if (ids.size !== run.rows.length) throw new BadFile("two rows have the same id");
  for (const record of [...run.samples, ...run.failures]) {
    if (!ids.has(record.row)) throw new BadFile(`it has a sample or failure of row ${record.row}, which is not there`);
  }
  for (const { row, wall, iterations } of run.samples) {
    if (counted.has(row)) throw new BadFile(`row ${row} was counted on an emulated platform, and has a time`);
    const possible = wall.every((/** @type {number} */ ns) => ns >= 0 && ns <= LONGEST_CHUNK_NS);
    if (!wall.length || iterations < 1 || iterations > LONGEST_CHUNK_NS || !possible) {
      throw new BadFile(`a sample of row ${row} has impossible times`);
    }
  }
  if (run.summary) checkSummary(run, ids, onMicrocontrollers);
  return run;
}
