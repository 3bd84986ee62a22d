#include <serbench/reader.h>

#include "flat.h"
#include "tables.hpp"

bool sb_read(char *data, size_t size, sb_hash *h) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(data);
#ifndef UNCHECKED
    // No table is smaller than a byte, so these are no limits.
    const auto most = static_cast<flatbuffers::uoffset_t>(size);
    flatbuffers::Verifier verifier(bytes, size, most, most);
    if (!verifier.VerifyBuffer<Root>()) return sb_fail("the verifier refuses the buffer");
#else
    (void)size;
#endif
    walk(h, *flatbuffers::GetRoot<Root>(bytes));
    return true;
}
