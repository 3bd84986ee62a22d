#include <serbench/struct_writer.hpp>

#include "convert.h"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    const std::string text = boost::json::serialize(boost::json::value_from(root));
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
