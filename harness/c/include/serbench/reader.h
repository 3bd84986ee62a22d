/* The contract of the tests `tree` and `incremental`: a contender includes this and defines sb_read
 * and sb_library_version. */
#ifndef SERBENCH_READER_H
#define SERBENCH_READER_H

#include "serbench/contender.h"
#include "serbench/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* To be defined by the contender: decodes `size` bytes at `data` and calls the hash for every value.
 *
 * `data` is a fresh copy of the input in every call. It may be changed, is followed by at least one
 * zero byte (more if the manifest states a padding), and belongs to the harness. Everything that the
 * library allocates must be freed again. False (see sb_fail) if the data could not be decoded. */
bool sb_read(char *data, size_t size, sb_hash *h);

/* True when the dataset's root is an array. Only a format that has no root array (BSON) looks at it:
 * such a format stores index keys, and its reader must then hash the root as an array. It says nothing in
 * the tests `serialize` and `lookup`. */
extern bool sb_root_is_array;

#ifdef __cplusplus
}
#endif
#endif
