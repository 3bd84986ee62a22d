/** An integer of 64 bits as the library takes it. */
export const integer = BigInt;

/** Hashes one that it decoded. */
export const hashInteger = (value, hash) => hash.bigint(value);
