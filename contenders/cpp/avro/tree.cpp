#include <serbench/reader.h>

#include "records.h"

bool sb_read(char *data, size_t size, sb_hash *h) try {
    avroed::Root root;
    decode(data, size, root);
    avroed::walk(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
