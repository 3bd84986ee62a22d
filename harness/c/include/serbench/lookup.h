/* The contract of the test `lookup`: a contender includes this and defines sb_lookup and
 * sb_library_version. */
#ifndef SERBENCH_LOOKUP_H
#define SERBENCH_LOOKUP_H

#include "serbench/contender.h"
#include "serbench/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a scalar stands in a document. */
typedef struct sb_path {
    const sb_value *steps; /* from the root: SB_STR is a key of a map, SB_U64 an index of an array */
    uint32_t length;       /* number of steps */
    uint32_t pointer_length;
    const char *pointer; /* the same as a JSON Pointer (RFC 6901), followed by one NUL */
} sb_path;

/* To be defined by the contender: finds the scalars at the paths in `size` bytes at `data`, which are as
 * sb_read gets them, and calls the hash for each, in the order of the paths. Whatever it made of the data
 * must be freed again. False (see sb_missing and sb_fail) if there is no scalar at one of the paths. */
bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h);

/* Records that there is no scalar at a path, and returns false. */
bool sb_missing(const sb_path *path);

#ifdef __cplusplus
}
#endif
#endif
