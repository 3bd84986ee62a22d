/* The tape: a value tree as a file (docs/tape.md), read into one block and written value by value. */
#ifndef SERBENCH_TAPE_H
#define SERBENCH_TAPE_H

#include <stdio.h>

#include "serbench/value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SB_TAPE_MAGIC "sbtape1\n"
#define SB_TAPE_HEADER 40
#define SB_MAX_DEPTH 1024

/* The header's counts, in its order: each a little-endian u64 after the eight bytes of the magic. */
typedef struct sb_tape_header {
    uint64_t values;       /* every value, containers and root included, keys not */
    uint64_t members;      /* entries of all maps */
    uint64_t string_bytes; /* of strings and keys */
    uint64_t depth;        /* nested containers, at most SB_MAX_DEPTH; 0 for a scalar root */
} sb_tape_header;

typedef struct sb_tree {
    const sb_value *root;
    void *block; /* what sb_tree_free frees */
    sb_tape_header header;
} sb_tree;

/* Reads the tape `path`; on failure returns false with one sentence in `error` (`error_size` bytes). */
bool sb_tree_read(sb_tree *tree, const char *path, char *error, size_t error_size);
void sb_tree_free(sb_tree *tree);

/* A tape under construction, in memory. Any failure (memory, depth) is kept in `failed`. */
typedef struct sb_tape {
    unsigned char *data;
    size_t size;
    size_t capacity;
    sb_tape_header header;
    uint64_t open; /* containers that have begun and not ended */
    const char *failed;
} sb_tape;

void sb_tape_begin(sb_tape *tape);
void sb_tape_nil(sb_tape *tape);
void sb_tape_bool(sb_tape *tape, bool value);
void sb_tape_i64(sb_tape *tape, int64_t value); /* a non-negative one is stored as u64 */
void sb_tape_u64(sb_tape *tape, uint64_t value);
void sb_tape_f64(sb_tape *tape, double value);
void sb_tape_str(sb_tape *tape, const char *bytes, uint32_t length);
void sb_tape_key(sb_tape *tape, const char *bytes, uint32_t length);
/* Begins an array or a map whose count is not known yet; returns the place for sb_tape_end. */
size_t sb_tape_open(sb_tape *tape, sb_type type);
void sb_tape_end(sb_tape *tape, size_t place, uint32_t count);
/* Completes the header and writes the tape; false with `failed` set, or with errno, if that failed. */
bool sb_tape_write(sb_tape *tape, const char *path);
void sb_tape_free(sb_tape *tape);

#ifdef __cplusplus
}
#endif
#endif
