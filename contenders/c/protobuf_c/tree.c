#include <serbench/reader.h>

#include "messages.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    Root *root = ROOT(unpack)(NULL, size, (const uint8_t *)data);
    if (root == NULL) return sb_fail("the library refuses the bytes");
    OF_ROOT(walk)(h, root);
    ROOT(free_unpacked)(root, NULL);
    return true;
}
