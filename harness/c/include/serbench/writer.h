/* The contract of the test `write`: a contender includes this and defines sb_write and
 * sb_library_version. */
#ifndef SERBENCH_WRITER_H
#define SERBENCH_WRITER_H

#include "serbench/contender.h"
#include "serbench/value.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sb_output sb_output;

/* To be defined by the contender: encodes the tree at `root` and hands the bytes to `out` in one of
 * the two ways below. Everything that the library allocates must be freed again. False (see sb_fail)
 * if the tree could not be encoded. */
bool sb_write(const sb_value *root, sb_output *out);

/* A library that builds the whole output in its own memory hands it over once, before freeing it. */
void sb_output_block(sb_output *out, const void *data, size_t size);

/* A library that needs a buffer from its caller appends to the harness's, which doubles as it grows
 * and is made anew in every call. False when memory runs out. */
bool sb_output_append(sb_output *out, const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
