#include <serbench/reader.h>

#include "messages.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    Root root;
    if (!root.ParseFromArray(data, static_cast<int>(size))) return sb_fail("the library refuses the bytes");
    walk(h, root);
    return true;
}
