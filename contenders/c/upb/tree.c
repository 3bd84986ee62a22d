#include <serbench/reader.h>

#include "messages.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    upb_Arena *arena = upb_Arena_New();
    if (arena == NULL) return sb_fail("out of memory");
    const upb_Message *root = decode(data, size, arena);
    if (root != NULL) OF_ROOT(walk)(h, root);
    upb_Arena_Free(arena);
    return root != NULL;
}
