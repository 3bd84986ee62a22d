#include <serbench/reader.h>

#include "archive.h"

using Deserializer = bitsery::Deserializer<bitsery::InputBufferAdapter<const char *>>;

bool sb_read(char *bytes, size_t size, sb_hash *h) try {
    Deserializer deserializer{bytes, size};
    data::Root root{};
    sb::Archive<Deserializer>{deserializer}(root);
    const bitsery::ReaderError error = deserializer.adapter().error();
    if (error != bitsery::ReaderError::NoError) return sb_fail("reading failed with %d", int(error));
    if (!deserializer.adapter().isCompletedSuccessfully()) return sb_fail("something follows the root");
    sb::hash(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
