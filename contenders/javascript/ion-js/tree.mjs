import ion from "ion-js";

const { BOOL, FLOAT, INT, LIST, NULL, STRING, STRUCT } = ion.IonTypes;

export const read = (data) => ion.load(data);

/** Its integers have any size: one beyond 64 bits can only be a double that was written as an integer. */
function integer(value, hash) {
  const near = value.numberValue();
  if (Number.isSafeInteger(near)) {
    hash.number(near);
    return;
  }
  const whole = value.bigIntValue();
  if (whole === BigInt.asIntN(64, whole) || whole === BigInt.asUintN(64, whole)) hash.bigint(whole);
  else hash.number(near);
}

export function walk(value, hash) {
  switch (value.getType()) {
    case NULL:
      hash.nil();
      return;
    case BOOL:
      hash.boolean(value.booleanValue());
      return;
    case INT:
      integer(value, hash);
      return;
    case FLOAT:
      hash.number(value.numberValue());
      return;
    case STRING:
      hash.string(value.stringValue());
      return;
    case LIST: {
      const elements = value.elements();
      for (const element of elements) walk(element, hash);
      hash.count(elements.length);
      return;
    }
    case STRUCT: {
      const fields = value.fields();
      for (const [name, field] of fields) {
        hash.string(name);
        walk(field, hash);
      }
      hash.count(fields.length);
      return;
    }
    default:
      throw new TypeError(`the decoded data contain a ${value.getType().name}`);
  }
}
