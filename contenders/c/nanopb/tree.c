#include <serbench/reader.h>

#include "messages.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    Root root;
    if (!decode(&root, data, size)) return false;
    OF_ROOT(walk)(h, &root);
    pb_release(ROOT_FIELDS, &root);
    return true;
}
