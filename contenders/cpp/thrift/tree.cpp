#include <serbench/reader.h>

#include "objects.h"

bool sb_read(char *data, size_t size, sb_hash *h) try {
    Root root;
    decode(data, size, &root);
    walk(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
