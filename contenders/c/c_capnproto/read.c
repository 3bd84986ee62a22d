#include <serbench/reader.h>

#include "structs.h"

#ifdef PACKED
enum { PACKING = 1 };
#else
enum { PACKING = 0 };
#endif

bool sb_read(char *data, size_t size, sb_hash *h) {
    struct capn message;
    if (capn_init_mem(&message, (const uint8_t *)data, size, PACKING) != 0) return sb_fail("no such message");
    Root root;
    OF_ROOT(read)(&root, (Root_ptr){capn_getp(capn_root(&message), 0, 1)});
    OF_ROOT(walk)(h, &root);
    capn_free(&message);
    return true;
}
