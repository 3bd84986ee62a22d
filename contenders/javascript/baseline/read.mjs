/** What every reader pays even if decoding cost nothing: its values are hashed. */
export const read = (_data, work) => work.words;

export const walk = (words, hash) => hash.words(words);
