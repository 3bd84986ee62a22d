#include <meta.hpp>
#include <serbench/struct_writer.hpp>

#include "version.h"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    std::string text;
    const glz::error_ctx error = glz::write<OPTIONS>(root, text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
