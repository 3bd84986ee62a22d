#include <members.hpp>
#include <serbench/struct_writer.hpp>

#include "map.h"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    std::vector<std::byte> bytes;
    zpp::bits::out archive(bytes);
    archive(root).or_throw();
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return ""; }
