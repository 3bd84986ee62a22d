#include <capnp/serialize-packed.h>
#include <serbench/reader.h>

#include <climits>

#include "capnp.h"
#include "tables.hpp"

bool sb_read(char *data, size_t size, sb_hash *h) try {
    capnp::ReaderOptions any;
    any.traversalLimitInWords = UINT64_MAX;
    any.nestingLimit = INT_MAX;
#ifdef PACKED
    kj::ArrayInputStream stream(kj::arrayPtr(reinterpret_cast<const kj::byte *>(data), size));
    capnp::PackedMessageReader reader(stream, any);
#else
    // A multiple of a word, at an address that is one.
    const auto *words = reinterpret_cast<const capnp::word *>(data);
    capnp::FlatArrayMessageReader reader(kj::arrayPtr(words, size / sizeof *words), any);
#endif
    walk(h, reader.getRoot<Root>());
    return true;
} catch (const kj::Exception &error) {
    return sb_fail("%s", error.getDescription().cStr());
}
