/* For the baseline and the memcpy row only: the harness's own data, which no contender may touch, and the
 * work that no row of a test can do without. */
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

/* What no reader can do without: every value goes into the hash. Its words are read one after the other, so
 * that nothing is subtracted from a row that depends on how a tree is laid out or how a format is parsed. */
static inline void sb_hash_harness_words(sb_hash *h) {
    size_t size;
    const char *words = sb_harness_words(&size);
    h->state = sb_hash_whole_words(h->state, words, size);
}

static inline uint64_t sb_sum_value(const sb_value *value) {
    uint64_t sum = value->type + value->length;
    if (value->type == SB_ARRAY) {
        for (uint32_t i = 0; i < value->length; i++) sum += sb_sum_value(&value->as.items[i]);
    } else if (value->type == SB_MAP) {
        for (uint32_t i = 0; i < value->length; i++) {
            const sb_member *member = &value->as.members[i];
            sum += (uintptr_t)member->key + member->key_length + sb_sum_value(&member->value);
        }
    } else {
        sum += value->as.u64;
    }
    return sum;
}

/* What no writer can do without: every type, length, number and pointer of the tree is looked at. */
static inline void sb_walk_value(const sb_value *value) {
    uint64_t sum = sb_sum_value(value);
    __asm__ volatile("" : : "r"(sum)); /* or the compiler would leave the walk out */
}

#ifdef __cplusplus
}
#endif
#endif
