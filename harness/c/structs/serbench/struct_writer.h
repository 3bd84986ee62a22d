/* The contract of the test `write` of a contender with a schema, in C: it includes this and defines
 * sb_write_struct and sb_library_version. */
#ifndef SERBENCH_STRUCT_WRITER_H
#define SERBENCH_STRUCT_WRITER_H

#include <serbench/struct.h>

#include "data.h"

/* To be defined by the contender: encodes the struct, as sb_write does a tree. */
bool sb_write_struct(const data_root *root, sb_output *out);

void *sb_struct(const sb_value *root) {
    data_root *made = calloc(1, sizeof *made + 1);
    if (made != NULL && SB_OF_ROOT(data_make_)(root, made)) return made;
    (void)sb_fail("the data do not follow the schema, or memory runs out");
    if (made != NULL) sb_struct_free(made);
    return NULL;
}

bool sb_struct_write(const void *made, sb_output *out) { return sb_write_struct(made, out); }

void sb_struct_free(void *made) {
    SB_OF_ROOT(data_free_)(made);
    free(made);
}

#endif
