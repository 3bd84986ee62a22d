/* For the baseline and the memcpy row only: the harness's own data, which no contender may touch. */
#ifndef SERBENCH_BASELINE_H
#define SERBENCH_BASELINE_H

#include "serbench/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value tree of the message at hand. */
const sb_value *sb_harness_root(void);

/* The encoded input that the group's baseline was given: its smallest encoding. */
const char *sb_harness_input(size_t *size);

/* The words that exact_hash mixes for the message at hand, in their order: `size` bytes, four a word. */
const char *sb_harness_words(size_t *size);

/* Hashes every value without a walk: its words are read one after the other. */
static inline void sb_hash_harness_words(sb_hash *h) {
    size_t size;
    const char *words = sb_harness_words(&size);
    h->state = sb_hash_whole_words(h->state, words, size);
}

#ifdef __cplusplus
}
#endif
#endif
