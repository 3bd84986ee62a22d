/* What the code of generate.py calls: how values of flatcc's tables are hashed. */
#ifndef TABLES_H
#define TABLES_H

#include <flatcc/flatcc_version.h>
#include <serbench/contender.h>
#include <serbench/hash.h>

#include "data.h"
#include "data_builder.h"
#include "data_verifier.h"

static inline void walk_bool(sb_hash *h, flatbuffers_bool_t value) { sb_hash_bool(h, value); }
static inline void walk_int32(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
static inline void walk_int64(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
static inline void walk_uint32(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
static inline void walk_uint64(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
static inline void walk_double(sb_hash *h, double value) { sb_hash_f64(h, value); }
static inline void walk_string(sb_hash *h, flatbuffers_string_t text) {
    sb_hash_str(h, text, flatbuffers_string_len(text));
}

#define ITEMS(kind)                                                                               \
    static inline void walk_##kind##_items(sb_hash *h, flatbuffers_##kind##_vec_t items) {        \
        const size_t count = flatbuffers_##kind##_vec_len(items);                                 \
        for (size_t i = 0; i < count; i++) walk_##kind(h, flatbuffers_##kind##_vec_at(items, i)); \
        sb_hash_count(h, count);                                                                  \
    }

ITEMS(bool)
ITEMS(int32)
ITEMS(int64)
ITEMS(uint32)
ITEMS(uint64)
ITEMS(double)
ITEMS(string)

#include "tables.inc"

const char *sb_library_version(void) {
    return FLATCC_VERSION_RELEASED ? FLATCC_VERSION_TEXT : FLATCC_VERSION_TEXT "-pre";
}

#endif
