import Long from "long";

/** An integer of 64 bits as the library takes it. */
export const integer = (value) => (typeof value === "bigint" ? Long.fromBigInt(value, value >= 0n) : value);

/** Hashes one that it decoded: a Long. */
export function hashInteger(value, hash) {
  const number = value.toNumber();
  if (Number.isSafeInteger(number)) hash.number(number);
  else hash.bigint(value.toBigInt());
}
