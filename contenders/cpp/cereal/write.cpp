#include <serbench/struct_writer.hpp>
#include <sstream>

#include "archive.h"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    std::ostringstream stream;
    cereal::BinaryOutputArchive archive(stream);
    archive(root);
    const std::string bytes = stream.str();
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
