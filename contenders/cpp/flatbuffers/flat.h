/* What the code of generate.py calls: how values of FlatBuffers are hashed, and made of those of plain
 * structs. */
#ifndef FLAT_H
#define FLAT_H

#include <serbench/contender.h>

#include "data.hpp"
#include "data_generated.h"

using Builder = flatbuffers::FlatBufferBuilder;

inline void walk(sb_hash *h, bool value) { sb_hash_bool(h, value); }
/* The only bytes are bools in vectors. */
inline void walk(sb_hash *h, uint8_t value) { sb_hash_bool(h, value != 0); }
inline void walk(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, double value) { sb_hash_f64(h, value); }
inline void walk(sb_hash *h, const flatbuffers::String &text) { sb_hash_str(h, text.c_str(), text.size()); }
inline void walk(sb_hash *h, std::string_view key) { sb_hash_str(h, key.data(), key.size()); }

template <typename T>
void walk(sb_hash *h, const flatbuffers::Vector<T> &items) {
    for (const auto item : items) {
        if constexpr (std::is_pointer_v<decltype(item)>)
            walk(h, *item);
        else
            walk(h, item);
    }
    sb_hash_count(h, items.size());
}

/* Tables of items in a vector; their offsets are known before that is begun. */
template <typename Items, typename Pack>
auto pack_items(Builder &builder, const Items &items, Pack pack) {
    std::vector<decltype(pack(builder, items.front()))> offsets;
    offsets.reserve(items.size());
    for (const auto &item : items) offsets.push_back(pack(builder, item));
    return builder.CreateVector(offsets);
}

/* The offset of what may not be there. */
template <typename T, typename Pack>
auto pack_given(Builder &builder, const std::optional<T> &value, Pack pack) {
    return value ? pack(builder, *value) : decltype(pack(builder, *value))(0);
}

inline auto pack_string(Builder &builder, const std::string &text) { return builder.CreateString(text); }

const char *sb_library_version(void) {
    return SB_VERSION_3(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION);
}

#endif
