#include <serbench/reader.h>

#include "messages.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    Root root;
    if (!parse(data, size, &root)) return false;
    walk(h, root);
    return true;
}
