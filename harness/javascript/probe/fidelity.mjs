/**
 * The probe of fidelity: writes and reads odd values with one library, and looks at what it decodes.
 *
 *     node fidelity.mjs WRITE READ [PROBE]
 *
 * WRITE and READ are the contender's modules for the tests write and tree. PROBE is there for one that needs
 * a schema: it exports `kinds`, which writes and reads the values of each kind that the format has.
 */
import { pathToFileURL } from "node:url";
import { keepOutput, Refusal, reasonOf, serve } from "../src/lines.mjs";
import { carriedBy } from "./carried.mjs";
import { judge, PROBES } from "./values.mjs";

keepOutput();

const [writePath, readPath, probePath] = process.argv.slice(2);
const ROW = { x: 1, y: 4.5, z: 0.25 };
const ZEROS = { x: 0, y: 0, z: 0 };
/** @type {Record<string, unknown>} The same records in the three shapes of that dataset. */
const DOCUMENTS = {
  mapped: { items: [ROW, ZEROS] },
  optional: { items: [ROW, ZEROS, { x: 2, z: 0.5 }] },
  unmapped: [Object.values(ROW), Object.values(ZEROS)],
};

/** @typedef {{ write: (root: unknown, work: object) => Uint8Array | string, read: (data: Buffer, work: object) => unknown }} Codec */
/** @type {Codec} */
let plain;
/** @type {Record<string, Codec> | null} */
let kinds = null;

async function load() {
  const [writing, reading] = await Promise.all(
    [writePath, readPath].map((path) => import(pathToFileURL(path).href)),
  );
  plain = { write: writing.write, read: reading.read };
  if (probePath) kinds = (await import(pathToFileURL(probePath).href)).kinds;
}

/** @param {unknown} root */
const workOf = (root) => ({
  root,
  rootIsArray: Array.isArray(root),
  input: Buffer.alloc(0),
  copy: Buffer.alloc(0),
});

/**
 * @param {Codec} codec
 * @param {unknown} root
 */
function written(codec, root) {
  const output = codec.write(root, workOf(root));
  if (typeof output !== "string" && !(output instanceof Uint8Array))
    throw new TypeError("it wrote neither bytes nor a string");
  // A copy, as many libraries hand out a part of a buffer that they use again.
  return Buffer.from(/** @type {any} */ (output));
}

/** @param {{ probe: string }} message */
function codecOf({ probe }) {
  if (!Object.hasOwn(PROBES, probe)) throw new Refusal("unknown probe");
  const { kind, value } = PROBES[probe];
  const codec = kinds === null ? plain : kinds[kind];
  return { codec, probe: PROBES[probe], root: { value } };
}

/**
 * @param {ReturnType<typeof codecOf>} asked
 * @param {Buffer} bytes
 */
function readBack({ codec, probe, root }, bytes) {
  try {
    return judge(probe, codec.read(bytes, workOf(root)));
  } catch (error) {
    return { mark: "refused", at: "read", found: reasonOf(error) };
  }
}

serve(
  {
    probes: () => ({ probes: Object.keys(PROBES) }),
    /** @param {{ shape: string }} message */
    carried({ shape }) {
      if (plain.read === undefined) return { carried: [] }; // it only writes
      const root = DOCUMENTS[shape];
      return { carried: carriedBy(root, plain.read(written(plain, root), workOf(root))) };
    },
    /** @param {{ probe: string }} message */
    value(message) {
      const asked = codecOf(message);
      if (asked.codec?.read === undefined) return { mark: "none" }; // no such values, or it only writes
      let bytes;
      try {
        bytes = written(asked.codec, asked.root);
      } catch (error) {
        return { mark: "refused", at: "write", found: reasonOf(error) };
      }
      return { ...readBack(asked, bytes), bytes: bytes.toString("base64") };
    },
    /** @param {{ probe: string, bytes: string }} message */
    read(message) {
      const asked = codecOf(message);
      if (asked.codec?.read === undefined) return { mark: "none" };
      return readBack(asked, Buffer.from(message.bytes, "base64"));
    },
  },
  load(),
);
