/* What the code of generate.py calls: how values of messages are hashed, and what messages are made of. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <serbench/contender.h>
#include <serbench/hash.h>
#include <stdlib.h>

#include "data.h"
#include "messages.pb-c.c"

static inline void walk_bool(sb_hash *h, protobuf_c_boolean value) { sb_hash_bool(h, value); }
static inline void walk_int32(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
static inline void walk_int64(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
static inline void walk_uint32(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
static inline void walk_uint64(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
static inline void walk_double(sb_hash *h, double value) { sb_hash_f64(h, value); }
static inline void walk_string(sb_hash *h, ProtobufCBinaryData text) {
    sb_hash_str(h, (const char *)text.data, text.len);
}

static inline void *need(size_t size) {
    void *block = malloc(size + 1);
    if (block == NULL) abort();
    return block;
}

static inline ProtobufCBinaryData borrowed(const data_string *text) {
    return (ProtobufCBinaryData){text->size, (uint8_t *)text->data};
}

/* -0 is a value, too. */
static inline bool is_given(double value) { return value != 0 || signbit(value); }

#include "messages.inc"

const char *sb_library_version(void) { return protobuf_c_version(); }

#endif
