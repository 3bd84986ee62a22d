#include <serbench/reader.h>

#include "objects.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    Root *root = decode(data, size);
    if (root == NULL) return false;
    OF_ROOT(walk)(h, root);
    g_object_unref(root);
    return true;
}
