#include <serbench/reader.h>

#include "convert.h"

bool sb_read(char *bytes, size_t size, sb_hash *h) try {
    sb::hash(h, Json::parse(bytes, bytes + size).get<data::Root>());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
