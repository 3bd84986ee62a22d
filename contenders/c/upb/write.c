#include <serbench/struct_writer.h>

#include "encode.h"

bool sb_write_struct(const data_root *plain, sb_output *out) {
    upb_Arena *arena = upb_Arena_New();
    if (arena == NULL) return sb_fail("out of memory");
    const bool good = encode(OF_ROOT(fill)(plain, arena), arena, out);
    upb_Arena_Free(arena);
    return good;
}
