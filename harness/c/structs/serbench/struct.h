/* The language's own structs, made for a schema before the clock runs: what `write` of a contender with a
 * schema encodes. For C++, struct_writer.hpp defines all three. */
#ifndef SERBENCH_STRUCT_H
#define SERBENCH_STRUCT_H

#include "serbench/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The struct of a tree; NULL (see sb_fail) if it cannot be made. */
void *sb_struct(const sb_value *root);

/* Encodes a struct, as sb_write does a tree. */
bool sb_struct_write(const void *made, sb_output *out);

void sb_struct_free(void *made);

#ifdef __cplusplus
}
#endif
#endif
