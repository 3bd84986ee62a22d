/** An integer of 64 bits as the library takes it: a number. */
export const integer = Number;

/** Hashes one that it decoded. */
export const hashInteger = (value, hash) => hash.number(value);
