/* What the code of generate.py calls: how values of messages are hashed, and what messages are made of. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <pb_decode.h>
#include <pb_encode.h>
#include <serbench/contender.h>
#include <serbench/hash.h>
#include <stdlib.h>

#include "data.h"
#include "messages.pb.c"

static inline void walk_bool(sb_hash *h, bool value) { sb_hash_bool(h, value); }
static inline void walk_int32(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
static inline void walk_int64(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
static inline void walk_uint32(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
static inline void walk_uint64(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
static inline void walk_double(sb_hash *h, double value) { sb_hash_f64(h, value); }
/* An empty string may be left out. */
static inline void walk_string(sb_hash *h, const char *text) {
    sb_hash_str(h, text, text == NULL ? 0 : strlen(text));
}

static inline void *need(size_t count, size_t size) {
    void *block = calloc(count + 1, size);
    if (block == NULL) abort();
    return block;
}

#include "messages.inc"

/* Decodes a root, which must then be released. */
static inline bool decode(Root *root, const char *data, size_t size) {
    pb_istream_t stream = pb_istream_from_buffer((const pb_byte_t *)data, size);
    return pb_decode(&stream, ROOT_FIELDS, root) || sb_fail("%s", PB_GET_ERROR(&stream));
}

/* The macro's text begins with the library's name. */
const char *sb_library_version(void) { return NANOPB_VERSION + sizeof "nanopb"; }

#endif
