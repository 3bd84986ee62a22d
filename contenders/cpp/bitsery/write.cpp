#include <serbench/struct_writer.hpp>

#include "archive.h"

using Buffer = std::vector<uint8_t>;
using Serializer = bitsery::Serializer<bitsery::OutputBufferAdapter<Buffer>>;

/* The library does not change what it writes, but one template serves it in both directions. */
bool sb_write_struct(const data::Root &root, sb_output *out) try {
    Buffer buffer;
    Serializer serializer{buffer};
    sb::Archive<Serializer>{serializer}(const_cast<data::Root &>(root));
    serializer.adapter().flush();
    sb_output_block(out, buffer.data(), serializer.adapter().writtenBytesCount());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
