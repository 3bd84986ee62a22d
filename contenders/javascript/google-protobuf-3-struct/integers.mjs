/** An integer of 64 bits as the library takes it where the schema says so: a string. */
export const integer = String;

/** Hashes one that it decoded. */
export const hashInteger = (value, hash) => hash.bigint(BigInt(value));
