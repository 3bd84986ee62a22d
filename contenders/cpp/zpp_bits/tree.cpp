#include <serbench/reader.h>

#include <members.hpp>

#include "map.h"

bool sb_read(char *bytes, size_t size, sb_hash *h) try {
    zpp::bits::in archive(std::span<const char>(bytes, size));
    data::Root root{};
    archive(root).or_throw();
    if (!archive.remaining_data().empty()) return sb_fail("something follows the root");
    sb::hash(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return ""; }
