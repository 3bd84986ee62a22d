/* How what a reader saw differs from the value tree that it was to see. */
#ifndef SERBENCH_COMPARE_H
#define SERBENCH_COMPARE_H

#include "serbench/value.h"

typedef struct sb_comparison {
    char difference[400]; /* the first that is no changed number and no other order of keys; empty if none */
    sb_hash exact;        /* of the values as they were seen, ... */
    sb_hash unordered;    /* ... and by the rule of unordered_hash */
    uint64_t integers;    /* changed ones, each to the nearest double or one beside it */
    uint64_t negative_zeros; /* that lost their sign */
    uint64_t retyped;        /* values beyond 2^53, unchanged, of the other type: so another hash */
    bool keys_moved;         /* whether the keys of some map came in another order */
    uint64_t doubles;        /* changed ones, by up to ... */
    double max_relative;     /* ... this, relative to the original; DBL_MAX if that is not finite */
} sb_comparison;

/* Compares the calls in the file `seen` (docs/protocol.md) with `count` documents; false, with errno set, if
 * it cannot be read. */
bool sb_compare(const sb_value *documents, uint32_t count, const char *seen, sb_comparison *result);

#endif
