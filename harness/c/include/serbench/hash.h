/* The two hashes of a value tree: content_hash and exact_hash (docs/tape.md).
 *
 * A contender calls one function for each value that it meets, in document order: the scalars as they
 * come, a container's elements (for a map: key, value, key, value ...) before its count. The same
 * calls yield either hash; which one is decided by the harness. */
#ifndef SERBENCH_HASH_H
#define SERBENCH_HASH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every number met, in order, as a double: filled only while the gate looks for changed doubles. */
typedef struct sb_numbers {
    double *values;
    size_t count;
    size_t capacity;
} sb_numbers;

typedef struct sb_hash {
    uint32_t state;
    bool exact;          /* exact_hash mixes the bits of a double, content_hash a constant */
    sb_numbers *numbers; /* NULL in every timed call */
} sb_hash;

/* Appends `number` to `numbers`; ends the process when memory runs out. */
void sb_numbers_add(sb_numbers *numbers, double number);

static inline sb_hash sb_hash_start(bool exact) {
    sb_hash h;
    h.state = 15373;
    h.exact = exact;
    h.numbers = NULL;
    return h;
}

static inline void sb_hash_mix(sb_hash *h, uint32_t x) { h->state = (h->state * 31u) ^ x; }

/* Mixes the high, then the low word. */
static inline void sb_hash_words(sb_hash *h, uint64_t x) {
    sb_hash_mix(h, (uint32_t)(x >> 32));
    sb_hash_mix(h, (uint32_t)x);
}

static inline void sb_hash_u64(sb_hash *h, uint64_t value) {
    if (h->numbers != NULL) sb_numbers_add(h->numbers, (double)value);
    sb_hash_words(h, value);
}

static inline void sb_hash_i64(sb_hash *h, int64_t value) {
    if (h->numbers != NULL) sb_numbers_add(h->numbers, (double)value);
    sb_hash_words(h, (uint64_t)value);
}

static inline void sb_hash_bool(sb_hash *h, bool value) { sb_hash_mix(h, value ? 1u : 0u); }

#ifdef SB_NARROW
/* On microcontrollers a double that is no integer counts as the nearest 32-bit float, so that a target whose
 * double has 32 bits can be held against the host. exact_hash then mixes the float's one word. */
static inline bool sb_hash_whole(sb_hash *h, double value) {
    if (!(value >= -0x1p53 && value <= 0x1p53) || (value == 0 && signbit(value))) return false;
    int64_t whole = (int64_t)value;
    if ((double)whole != value) return false;
    sb_hash_words(h, (uint64_t)whole);
    return true;
}

static inline void sb_hash_f64(sb_hash *h, double value) {
    float narrow = (float)value;
    uint32_t bits;
    if (h->numbers != NULL) sb_numbers_add(h->numbers, value);
    if (sb_hash_whole(h, value) || sb_hash_whole(h, (double)narrow)) return;
    memcpy(&bits, &narrow, sizeof bits);
    sb_hash_mix(h, h->exact ? bits : 43013u);
}
#else
/* A double with an integral value within +-2^53, other than -0, counts as that integer. */
static inline void sb_hash_f64(sb_hash *h, double value) {
    uint64_t bits;
    if (h->numbers != NULL) sb_numbers_add(h->numbers, value);
    memcpy(&bits, &value, sizeof bits);
    if (value >= -0x1p53 && value <= 0x1p53 && bits != UINT64_C(0x8000000000000000)) {
        int64_t whole = (int64_t)value;
        if ((double)whole == value) {
            sb_hash_words(h, (uint64_t)whole);
            return;
        }
    }
    if (h->exact)
        sb_hash_words(h, bits);
    else
        sb_hash_mix(h, 43013u);
}
#endif

/* A string, or a map's key: `length` bytes, which need not end in NUL. */
static inline void sb_hash_str(sb_hash *h, const char *bytes, size_t length) {
    uint32_t state = h->state; /* a local, so that it stays in a register whatever `bytes` may alias */
    uint32_t word;
    state = (state * 31u) ^ (uint32_t)length;
    for (; length >= 4; bytes += 4, length -= 4) {
        memcpy(&word, bytes, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap32(word);
#endif
        state = (state * 31u) ^ word;
    }
    if (length > 0) {
        word = (uint8_t)bytes[0];
        if (length > 1) word |= (uint32_t)(uint8_t)bytes[1] << 8;
        if (length > 2) word |= (uint32_t)(uint8_t)bytes[2] << 16;
        state = (state * 31u) ^ word;
    }
    h->state = state;
}

static inline void sb_hash_nil(sb_hash *h) {
    sb_hash_mix(h, 0);
    sb_hash_str(h, "nil", 3);
}

/* Ends an array or a map: the number of its elements or entries. */
static inline void sb_hash_count(sb_hash *h, size_t count) { sb_hash_mix(h, (uint32_t)count); }

#ifdef __cplusplus
}
#endif
#endif
