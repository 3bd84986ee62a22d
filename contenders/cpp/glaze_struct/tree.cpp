#include <serbench/reader.h>

#include <meta.hpp>

#include "version.h"

bool sb_read(char *bytes, size_t size, sb_hash *h) try {
    const std::string_view text(bytes, size);
    data::Root root{};
    const glz::error_ctx error = glz::read_json(root, text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    sb::hash(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
