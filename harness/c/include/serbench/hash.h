/* The hashes of a value tree: content_hash, exact_hash and unordered_hash (docs/tape.md).
 *
 * A contender calls one function for each value that it meets, in document order: the scalars as they
 * come, a container's elements (for a map: key, value, key, value ...) before its count. The same calls
 * yield content_hash or exact_hash, as the harness decides; a map whose order of keys is another one in each
 * call is hashed by sb_hash_entry and sb_hash_entries. */
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

#ifdef SB_NARROW
/* Every number met, in order, as a double: all that a microcontroller tells of what it read. */
typedef struct sb_numbers {
    double *values;
    size_t count;
    size_t capacity;
} sb_numbers;
typedef sb_numbers sb_seen;

/* Appends `number` to `numbers`; ends the process when memory runs out. */
void sb_numbers_add(sb_numbers *numbers, double number);
#else
/* A file that gets every call, while the gate looks for what a reader changes (docs/protocol.md). */
typedef struct sb_seen sb_seen;

/* Writes `tag`, and `word` in as many bytes as belong to the tag. */
void sb_see_value(sb_seen *seen, char tag, uint64_t word);
void sb_see_string(sb_seen *seen, const char *bytes, size_t length);
#endif

typedef struct sb_hash {
    uint32_t state;
    bool exact;    /* exact_hash mixes the bits of a double, content_hash a constant */
    sb_seen *seen; /* NULL in every timed call */
} sb_hash;

static inline sb_hash sb_hash_start(bool exact) {
    sb_hash h;
    h.state = 15373;
    h.exact = exact;
    h.seen = NULL;
    return h;
}

/* Shows a call whose value is `word`, as the tape has it under this `tag`. */
__attribute__((always_inline)) static inline void sb_hash_show(const sb_hash *h, char tag, uint64_t word) {
#ifdef SB_NARROW
    if (h->seen != NULL && (tag == 'u' || tag == 'i'))
        sb_numbers_add(h->seen, tag == 'u' ? (double)word : (double)(int64_t)word);
#else
    if (h->seen != NULL) sb_see_value(h->seen, tag, word);
#endif
}

/* Hides `x` from the compiler. If it knew that `x` is 0 (of a null, or the high word of a uint32_t), it would
 * make one step of two, and the hash would not cost the same in every row. Not on microcontrollers, where no
 * row has a schema. */
static inline uint32_t sb_hash_step(uint32_t state, uint32_t x) {
#ifndef SB_NARROW
    __asm__("" : "+r"(x));
#endif
    return (state * 31u) ^ x;
}

static inline void sb_hash_mix(sb_hash *h, uint32_t x) { h->state = sb_hash_step(h->state, x); }

/* Mixes the high, then the low word. */
static inline void sb_hash_words(sb_hash *h, uint64_t x) {
    sb_hash_mix(h, (uint32_t)(x >> 32));
    sb_hash_mix(h, (uint32_t)x);
}

static inline void sb_hash_u64(sb_hash *h, uint64_t value) {
    sb_hash_show(h, 'u', value);
    sb_hash_words(h, value);
}

static inline void sb_hash_i64(sb_hash *h, int64_t value) {
    sb_hash_show(h, 'i', (uint64_t)value);
    sb_hash_words(h, (uint64_t)value);
}

static inline void sb_hash_bool(sb_hash *h, bool value) {
    sb_hash_show(h, value ? 't' : 'f', 0);
    sb_hash_mix(h, value ? 1u : 0u);
}

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
    if (h->seen != NULL) sb_numbers_add(h->seen, value);
    if (sb_hash_whole(h, value) || sb_hash_whole(h, (double)narrow)) return;
    memcpy(&bits, &narrow, sizeof bits);
    sb_hash_mix(h, h->exact ? bits : 43013u);
}
#else
/* A double with an integral value within +-2^53, other than -0, counts as that integer. */
static inline void sb_hash_f64(sb_hash *h, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sb_hash_show(h, 'd', bits);
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

/* `state` with the whole little-endian words of `length` bytes mixed in; what is left over is not. */
static inline uint32_t sb_hash_whole_words(uint32_t state, const char *bytes, size_t length) {
    uint32_t word;
    for (; length >= 4; bytes += 4, length -= 4) {
        memcpy(&word, bytes, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap32(word);
#endif
        state = (state * 31u) ^ word;
    }
    return state;
}

/* Mixes `length` bytes, their number first. */
static inline void sb_hash_bytes(sb_hash *h, const char *bytes, size_t length) {
    uint32_t state = h->state; /* a local, so that it stays in a register whatever `bytes` may alias */
    uint32_t word;
    state = sb_hash_whole_words(sb_hash_step(state, (uint32_t)length), bytes, length);
    bytes += length & ~(size_t)3;
    length &= 3;
    if (length > 0) {
        word = (uint8_t)bytes[0];
        if (length > 1) word |= (uint32_t)(uint8_t)bytes[1] << 8;
        if (length > 2) word |= (uint32_t)(uint8_t)bytes[2] << 16;
        state = (state * 31u) ^ word;
    }
    h->state = state;
}

/* A string, or a map's key: `length` bytes, which need not end in NUL. */
static inline void sb_hash_str(sb_hash *h, const char *bytes, size_t length) {
#ifndef SB_NARROW
    if (h->seen != NULL) sb_see_string(h->seen, bytes, length);
#endif
    sb_hash_bytes(h, bytes, length);
}

static inline void sb_hash_nil(sb_hash *h) {
    sb_hash_show(h, 'n', 0);
    sb_hash_mix(h, 0);
    sb_hash_bytes(h, "nil", 3);
}

/* Ends an array or a map: the number of its elements or entries. */
static inline void sb_hash_count(sb_hash *h, size_t count) {
    sb_hash_show(h, 'e', count);
    sb_hash_mix(h, (uint32_t)count);
}

/* For a map by the rule of unordered_hash: the hash of one entry, which then gets the key and the value. */
static inline sb_hash sb_hash_entry(const sb_hash *h) {
    sb_hash entry = sb_hash_start(h->exact);
    entry.seen = h->seen;
    sb_hash_show(h, '(', 0);
    return entry;
}

/* Ends such a map: `sum` is the sum of the states of its entries' hashes. */
static inline void sb_hash_entries(sb_hash *h, uint32_t sum, size_t count) {
    sb_hash_show(h, ')', 0);
    sb_hash_mix(h, sum);
    sb_hash_count(h, count);
}

#ifdef __cplusplus
}
#endif
#endif
