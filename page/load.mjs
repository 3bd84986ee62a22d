// Reading a dropped file. It may come from anywhere: everything that the page uses is checked here, by the
// documentation of the run file, and what is wrong is said in a sentence.

import { countsOf } from "./rows.mjs";

/** @typedef {"text" | "number" | "integer" | "flag" | "texts" | "integers" | "launches" | "map" | "object" | "list"} Kind */
/** A field's kind and its default; without one it is required. @typedef {[Kind, any?]} Field */

const REQUIRED = undefined;
/** @type {Record<string, Record<string, Field>>} */
const FIELDS = {
  run: {
    serbench: ["text"], id: ["text"], started: ["text"], finished: ["text", ""], complete: ["flag", false],
    seconds: ["number", 0], machine: ["object"], settings: ["object"], datasets: ["list", []], rows: ["list", []],
    samples: ["list", []], failures: ["list", []], stops: ["list", []], fidelity: ["list", []], payloads: ["list", []], strict: ["list", []], notes: ["texts", []],
    periods: ["list", []],
    platforms: ["list", []], summary: ["object", null],
  },
  machine: {
    system: ["text"], kernel: ["text"], architecture: ["text"], cpu: ["text"], cores: ["integer"],
    memory_bytes: ["integer"], virtual: ["text", ""], governor: ["text", ""], compilers: ["map", {}],
  },
  settings: {
    command: ["texts"], precision: ["text"], launches: ["integer"], max_launches: ["integer"],
    seconds_per_launch: ["number"], chunk_ns: ["integer"], target: ["number"], threshold: ["number"],
    budget_seconds: ["number", null], seed: ["integer", 0], profile: ["text", "speed"], fragment: ["flag", true],
    growth: ["flag", false], references: ["texts", null],
  },
  dataset: {
    name: ["text"], tape_sha256: ["text"], content_hash: ["text"], exact_hash: ["text"], nodes: ["integer"], depth: ["integer"],
    encodings: ["map", {}], messages: ["integer", 1],
  },
  encoding: { bytes: ["integer", null], hash: ["text", ""], reason: ["text", ""], compressed: ["map", {}] },
  compressed: { bytes: ["integer"], nanoseconds: ["number"] },
  row: {
    id: ["integer"], row: ["text"], contender: ["text"], contender_id: ["text"], language: ["text"],
    language_name: ["text"], harness: ["text"], format: ["text"], format_name: ["text", ""], test: ["text"],
    variant: ["text", ""], dataset: ["text"], profile: ["text"], role: ["text", "contender"], library_version: ["text", ""],
    origin: ["text", ""], toolchain: ["text", ""], allocator: ["text", "system"], cpu: ["text", ""], compiler: ["text", ""], flags: ["text", ""],
    program: ["text", ""], api: ["text", ""], hash: ["text", ""], verified_by: ["text", ""], code_size_reason: ["text", ""],
    instructions_reason: ["text", ""], platform: ["text", ""], released: ["text", ""], homepage: ["text", ""], license: ["text", ""],
    load_ns: ["integer", null], installed_bytes: ["integer", null],
    generated_lines: ["integer", null], build_seconds: ["number", null],
  },
  sample: {
    row: ["integer"], launch: ["integer"], round: ["integer"], position: ["integer"], started: ["number"], iterations: ["integer"],
    wall: ["integers"], disturbed: ["text", ""],
  },
  platform: {
    name: ["text"], title: ["text"], stands_for: ["texts"], unit: ["text"], compiler: ["text"], flags: ["text"], emulator: ["text"],
    kind: ["text", "emulated"], core: ["text", ""], reason: ["text", ""],
  },
  count: {
    platform: ["text"], contender: ["text"], contender_id: ["text"], format: ["text"], document: ["text"],
    real_life: ["flag", false], status: ["text"], reason: ["text", ""], labels: ["texts", []], library_version: ["text", ""],
    bytes: ["integer", null], deserialize_first: ["number", null], deserialize: ["number", null], serialize_first: ["number", null],
    serialize: ["number", null], deserialize_stack: ["integer", null], serialize_stack: ["integer", null],
    deserialize_memory: ["integer", null], serialize_memory: ["integer", null], flash: ["integer", null],
  },
  summary: { version: ["integer", 1], rows: ["list", []], answer: ["object", null] },
  answer: { about: ["text", ""], findings: ["list", []], gains: ["list", []] },
  gain: { language: ["text"], test: ["text"], row: ["integer"], without: ["integer"], ratio: ["number", null], proved: ["text", ""] },
  finding: { subject: ["text"], text: ["text"], row: ["integer", null], rows: ["integers", []] },
  result: {
    id: ["integer"], name: ["text"], baseline: ["integer", null], launch_ns: ["launches", []], status: ["text"], reason: ["text", ""],
    output: ["text", ""], rank: ["integer", null], net_ns: ["number", null], net_low_ns: ["number", null], net_high_ns: ["number", null],
    raw_ns: ["number", null], raw_low_ns: ["number", null], raw_high_ns: ["number", null], typical_ns: ["number", null],
    overhead: ["number", null], overhead_low: ["number", null], overhead_high: ["number", null], bytes: ["number", null],
    labels: ["texts", []], launches: ["integer", 0], few_samples: ["flag", false], at_floor: ["flag", false],
    short_runs_ns: ["number", null], short_runs_deviation_ns: ["number", null], short_runs_net_ns: ["number", null],
    short_runs_net_deviation_ns: ["number", null], heap_allocations: ["number", null], heap_bytes: ["number", null],
    heap_peak: ["integer", null], code_size: ["integer", null], instructions: ["number", null], messages: ["integer", 1],
    bundle_size: ["integer", null], rank_last: ["integer", null], page_faults: ["number", null],
    takes_invalid: ["integer", null], refuses_valid: ["integer", null], data: ["text", ""],
  },
  failure: { row: ["integer"], reason: ["text"], output: ["text", ""] },
  fidelity: {
    contender: ["text"], contender_id: ["text"], variant: ["text", ""], format: ["text"], format_name: ["text", ""],
    library_version: ["text", ""], status: ["text", "ok"], reason: ["text", ""], carries: ["list", []], values: ["list", []],
  },
  carried: { kind: ["text"], where: ["text", ""], what: ["text", ""] },
  fate: {
    probe: ["text"], mark: ["text"], at: ["text", ""], found: ["text", ""], peer: ["text", ""], peer_mark: ["text", ""],
    peer_found: ["text", ""],
  },
  payload: {
    contender: ["text"], contender_id: ["text"], format: ["text"], format_name: ["text", ""], library_version: ["text", ""],
    direction: ["text"], heap_mb: ["integer", null], heap_limit: ["integer", null], status: ["text", "ok"], reason: ["text", ""],
    megabytes: ["number", null], rows: ["integer", null], bytes: ["integer", null], failed_megabytes: ["number", null],
    failure: ["text", ""], limited_by_input: ["flag", false],
  },
  strict: {
    contender: ["text"], contender_id: ["text"], row: ["text"], test: ["text"], variant: ["text", ""], format: ["text"],
    format_name: ["text", ""], library_version: ["text", ""], status: ["text", "ok"], reason: ["text", ""], cases: ["integer", 0],
    judged: ["list", []], damage: ["object", null],
  },
  judged: { case: ["text"], kind: ["text"], expected: ["text"], outcome: ["text"], said: ["text", ""] },
  damage: { tried: ["integer"], wanted: ["integer"], taken: ["integer"], sanitizer: ["text"], ends: ["list", []] },
  end: { kind: ["text"], times: ["integer"], said: ["text", ""], example: ["text", ""] },
  stop: { test: ["text"], dataset: ["text"], profile: ["text"], launches: ["integer"], reason: ["text"] },
};
const STATUSES = ["ok", "failed", "unavailable", "unsupported"];
const LONGEST_CHUNK_NS = 2 ** 62;

const isObject = (/** @type {unknown} */ v) => typeof v === "object" && v !== null && !Array.isArray(v);
const isText = (/** @type {unknown} */ v) => typeof v === "string";
/** @type {Record<Kind, (v: any) => boolean>} */
const CHECKS = {
  text: isText,
  number: Number.isFinite,
  integer: Number.isInteger,
  flag: (v) => typeof v === "boolean",
  texts: (v) => Array.isArray(v) && v.every(isText),
  integers: (v) => Array.isArray(v) && v.every(Number.isInteger),
  launches: (v) => Array.isArray(v) && v.every((pair) => Array.isArray(pair) && pair.length === 2 && Number.isInteger(pair[0]) && Number.isFinite(pair[1])),
  map: isObject,
  object: isObject,
  list: Array.isArray,
};

/** A file that is no run file; its message is for the person who dropped it. */
export class BadFile extends Error {}

/** Return `value` with only the known fields, and their defaults. @param {string} kind @param {unknown} value @param {string} where @returns {Record<string, any>} */
function checked(kind, value, where) {
  if (!isObject(value)) throw new BadFile(`${where} is no object`);
  const given = /** @type {Record<string, any>} */ (value);
  /** @type {Record<string, any>} */
  const made = {};
  for (const [name, [type, otherwise]] of Object.entries(FIELDS[kind])) {
    const found = Object.hasOwn(given, name) ? given[name] : undefined;
    if (found === undefined || (found === null && otherwise === null)) {
      if (otherwise === REQUIRED) throw new BadFile(`${where} has no field ${name}`);
      made[name] = otherwise;
    } else if (CHECKS[type](found)) {
      made[name] = found;
    } else {
      throw new BadFile(`the field ${name} of ${where} is not what it should be (${type})`);
    }
  }
  return made;
}

/** Each value of a map checked. @param {string} kind @param {Record<string, unknown>} map @param {string} where */
function checkedMap(kind, map, where) {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, checked(kind, value, `${where} ${name}`)]));
}

/** @param {unknown} value */
function checkedFidelity(value) {
  const record = checked("fidelity", value, "a record of fidelity");
  record.carries = record.carries.map((/** @type {unknown} */ v) => checked("carried", v, "what a library carries"));
  record.values = record.values.map((/** @type {unknown} */ v) => checked("fate", v, "the fate of a value"));
  return record;
}

/** @param {unknown} value */
function checkedStrict(value) {
  const record = checked("strict", value, "a record of strictness");
  record.judged = record.judged.map((/** @type {unknown} */ v) => checked("judged", v, "a judged document"));
  if (record.damage) {
    record.damage = checked("damage", record.damage, "what damage did");
    record.damage.ends = record.damage.ends.map((/** @type {unknown} */ v) => checked("end", v, "the end of a process"));
  }
  return record;
}

/** @param {unknown} value */
function checkedDataset(value) {
  const dataset = checked("dataset", value, "a dataset");
  if (dataset.messages < 1) throw new BadFile(`the dataset ${dataset.name} has no messages`);
  dataset.encodings = checkedMap("encoding", dataset.encodings, "the encoding");
  for (const encoding of Object.values(dataset.encodings)) {
    encoding.compressed = checkedMap("compressed", encoding.compressed, "the compressed encoding");
  }
  return dataset;
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
 * @param {string} text @param {{schema: number, summary: number}} versions those that this page knows
 */
export function readRun(text, { schema: newest, summary: own }) {
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
  const run = checkedFile(value);
  if (run.summary?.version !== own) {
    throw new BadFile(`This run file has ${run.summary ? "the summary of another version" : "no summary: an older version"} of serbench${run.summary ? "" : " wrote it"}. `
      + "Make a page of it: ./serbench report FILE --html PAGE");
  }
  return run;
}

/** The run in a parsed file, with every default filled in. Throws BadFile. @param {unknown} value */
export function checkedFile(value) {
  try {
    return checkedRun(value);
  } catch (error) {
    if (error instanceof BadFile) throw new BadFile(`This run file is damaged: ${error.message}.`);
    throw error;
  }
}

/** @param {Record<string, any>} run @param {Set<number>} ids those of its rows @param {Set<number>} counted those of microcontrollers */
function checkSummary(run, ids, counted) {
  run.summary = checked("summary", run.summary, "the summary");
  const results = run.summary.rows.map((/** @type {unknown} */ v) => checked("result", v, "a result"));
  run.summary.rows = results.filter((/** @type {any} */ { id }) => !counted.has(id));
  run.summary.answer = checked("answer", run.summary.answer ?? {}, "the answer");
  run.summary.answer.findings = run.summary.answer.findings.map((/** @type {unknown} */ v) => checked("finding", v, "a finding"));
  run.summary.answer.gains = run.summary.answer.gains.map((/** @type {unknown} */ v) => checked("gain", v, "a gain"));
  const own = new Set(run.summary.rows.map((/** @type {any} */ { id }) => id));
  if (own.size !== run.summary.rows.length || own.size !== ids.size || [...own].some((id) => !ids.has(id))) throw new BadFile("its summary is of other rows");
  for (const { id, status, messages } of run.summary.rows) {
    if (!STATUSES.includes(status)) throw new BadFile(`row ${id} has the unknown status ${status}`);
    if (messages < 1) throw new BadFile(`row ${id} has no messages`);
  }
}

/** @param {unknown} value */
function checkedRun(value) {
  const run = checked("run", value, "the run");
  run.machine = checked("machine", run.machine, "the machine");
  run.settings = checked("settings", run.settings, "the settings");
  run.datasets = run.datasets.map(checkedDataset);
  run.counts = countsOf(run.rows).map((v) => checked("count", v, "a row of a microcontroller"));
  const onMicrocontrollers = new Set(run.rows.filter((/** @type {any} */ row) => row?.test === "roundtrip").map((/** @type {any} */ row) => row.id));
  run.rows = run.rows.filter((/** @type {any} */ row) => row?.test !== "roundtrip").map((/** @type {unknown} */ v) => checked("row", v, "a row"));
  const ids = new Set(run.rows.map((/** @type {any} */ row) => row.id));
  const counted = new Set(run.rows.filter((/** @type {any} */ row) => row.platform).map((/** @type {any} */ row) => row.id));
  if (ids.size !== run.rows.length) throw new BadFile("two rows have the same id");
  run.samples = run.samples.map((/** @type {unknown} */ v) => checked("sample", v, "a sample"));
  run.failures = run.failures.map((/** @type {unknown} */ v) => checked("failure", v, "a failure"));
  run.stops = run.stops.map((/** @type {unknown} */ v) => checked("stop", v, "a stop"));
  run.platforms = run.platforms.map((/** @type {unknown} */ v) => checked("platform", v, "a platform"));
  run.fidelity = run.fidelity.map(checkedFidelity);
  run.payloads = run.payloads.map((/** @type {unknown} */ v) => checked("payload", v, "a payload"));
  run.strict = run.strict.map(checkedStrict);
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
