/* The value tree: what a write contender is given, and what the baseline walks.
 *
 * A whole tree lives in one block of memory; nothing in it is ever changed or freed by a contender.
 * Strings and keys are UTF-8, may contain NUL, and are followed by one NUL that is not counted. */
#ifndef SERBENCH_VALUE_H
#define SERBENCH_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serbench/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sb_type {
    SB_NIL,
    SB_BOOL,
    SB_I64, /* always negative: a non-negative integer is SB_U64 */
    SB_U64,
    SB_F64,
    SB_STR,
    SB_ARRAY,
    SB_MAP
} sb_type;

typedef struct sb_value sb_value;
typedef struct sb_member sb_member;

struct sb_value {
    uint8_t type;    /* an sb_type */
    uint32_t length; /* bytes of a string, elements of an array, entries of a map */
    union {
        bool boolean;
        int64_t i64;
        uint64_t u64;
        double f64;
        const char *str;
        const sb_value *items;    /* `length` values */
        const sb_member *members; /* `length` entries */
    } as;
};

struct sb_member {
    const char *key;
    uint32_t key_length;
    sb_value value;
};

/* Mixes a whole tree into `h`, depth first, as the definition of the hashes says. */
void sb_hash_value(sb_hash *h, const sb_value *value);

/* The same by the rule of unordered_hash, which does not depend on the order of keys. */
void sb_hash_unordered(sb_hash *h, const sb_value *value);

#ifdef __cplusplus
}
#endif
#endif
