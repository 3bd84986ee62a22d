#include <serbench/reader.h>

#include <istream>
#include <streambuf>

#include "archive.h"

namespace {

/* The bytes as a stream has them. */
struct Bytes : std::streambuf {
    Bytes(char *bytes, size_t size) { setg(bytes, bytes, bytes + size); }
};

}  // namespace

bool sb_read(char *bytes, size_t size, sb_hash *h) try {
    Bytes buffer(bytes, size);
    std::istream stream(&buffer);
    cereal::BinaryInputArchive archive(stream);
    data::Root root{};
    archive(root);
    if (buffer.in_avail() > 0) return sb_fail("something follows the root");
    sb::hash(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
