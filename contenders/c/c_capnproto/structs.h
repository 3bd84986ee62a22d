/* What the code of generate.py calls: how values of Cap'n Proto are hashed, and made of plain ones. */
#ifndef STRUCTS_H
#define STRUCTS_H

#include <capnp_c.h>
#include <serbench/contender.h>
#include <serbench/hash.h>
#include <string.h>

#include "data.capnp.c"
#include "data.h"

/* A pointer of a struct that was read is not followed yet. */
static inline bool is_there(capn_ptr pointer) {
    capn_resolve(&pointer);
    return pointer.type != CAPN_NULL;
}

static inline void walk_bool(sb_hash *h, bool value) { sb_hash_bool(h, value); }
static inline void walk_int32(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
static inline void walk_int64(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
static inline void walk_uint32(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
static inline void walk_uint64(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
static inline void walk_double(sb_hash *h, double value) { sb_hash_f64(h, value); }
static inline void walk_string(sb_hash *h, capn_text text) { sb_hash_str(h, text.str, (size_t)text.len); }

static inline capn_text text_of(const data_string *from) {
    return (capn_text){.len = (int)from->size, .str = from->data};
}

/* The library keeps the size of a list of bits in 19 bits, and makes too short a list of more. */
enum { MOST_BITS = ((1 << 19) - 1) * 8 };

/* A list of scalars: its type, its functions' number, and what converts an element that is read. */
#define WALKED(kind, bits, of)                                                        \
    static inline void walk_##kind##_items(sb_hash *h, capn_list##bits items) {       \
        const int count = capn_len(items);                                            \
        for (int i = 0; i < count; i++) walk_##kind(h, of(capn_get##bits(items, i))); \
        sb_hash_count(h, (size_t)count);                                              \
    }

WALKED(bool, 1, (bool))
WALKED(int32, 32, (int32_t))
WALKED(int64, 64, (int64_t))
WALKED(uint32, 32, )
WALKED(uint64, 64, )
WALKED(double, 64, capn_to_f64)

/* A list of integers is written at once. */
#define PUT(kind, bits)                                                                                      \
    static inline bool put_##kind##_items(struct capn_segment *s, const kind##_t *from, size_t count,        \
                                          capn_ptr *to) {                                                    \
        const capn_list##bits items = capn_new_list##bits(s, (int)count);                                    \
        *to = items.p;                                                                                       \
        const bool good = capn_setv##bits(items, 0, (const uint##bits##_t *)from, (int)count) == (int)count; \
        return good && items.p.type != CAPN_NULL;                                                            \
    }

PUT(int32, 32)
PUT(int64, 64)
PUT(uint32, 32)
PUT(uint64, 64)

static inline bool put_bool_items(struct capn_segment *s, const bool *from, size_t count, capn_ptr *to) {
    if (count > MOST_BITS) return sb_fail("a list of %zu bools: the library has none so long", count);
    const capn_list1 items = capn_new_list1(s, (int)count);
    *to = items.p;
    for (int i = 0; i < (int)count; i++)
        if (capn_set1(items, i, from[i]) != 0) return false;
    return items.p.type != CAPN_NULL;
}

static inline bool put_double_items(struct capn_segment *s, const double *from, size_t count, capn_ptr *to) {
    const capn_list64 items = capn_new_list64(s, (int)count);
    *to = items.p;
    for (int i = 0; i < (int)count; i++)
        if (capn_set64(items, i, capn_from_f64(from[i])) != 0) return false;
    return items.p.type != CAPN_NULL;
}

static inline void walk_string_items(sb_hash *h, capn_ptr items) {
    capn_resolve(&items);
    for (int i = 0; i < items.len; i++) walk_string(h, capn_get_text(items, i, (capn_text){.str = ""}));
    sb_hash_count(h, (size_t)items.len);
}

static inline bool put_string_items(struct capn_segment *s, const data_string *from, size_t count,
                                    capn_ptr *to) {
    *to = capn_new_ptr_list(s, (int)count);
    for (int i = 0; i < (int)count; i++)
        if (capn_set_text(*to, i, text_of(&from[i])) != 0) return false;
    return to->type != CAPN_NULL;
}

#include "structs.inc"

/* The library tells none. */
const char *sb_library_version(void) { return ""; }

#endif
