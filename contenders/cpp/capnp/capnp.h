/* What the code of generate.py calls: how values of Cap'n Proto are hashed, and set to those of plain
 * structs. */
#ifndef CAPNP_H
#define CAPNP_H

#include <capnp/serialize.h>
#include <serbench/contender.h>

#include "data.capnp.c++"
#include "data.hpp"

inline void walk(sb_hash *h, bool value) { sb_hash_bool(h, value); }
inline void walk(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, double value) { sb_hash_f64(h, value); }
inline void walk(sb_hash *h, capnp::Text::Reader text) { sb_hash_str(h, text.begin(), text.size()); }
inline void walk(sb_hash *h, std::string_view key) { sb_hash_str(h, key.data(), key.size()); }

template <typename Items>
void walk_items(sb_hash *h, const Items &items) {
    for (const auto item : items) walk(h, item);
    sb_hash_count(h, items.size());
}

inline capnp::Text::Reader text_of(const std::string &text) { return {text.c_str(), text.size()}; }

template <typename Items, typename From>
void set_items(Items to, const From &from) {
    for (uint32_t i = 0; i < from.size(); i++) to.set(i, from[i]);
}

template <typename From>
void set_texts(capnp::List<capnp::Text>::Builder to, const From &from) {
    for (uint32_t i = 0; i < from.size(); i++) to.set(i, text_of(from[i]));
}

template <typename Items, typename From, typename Pack>
void pack_items(Items to, const From &from, Pack pack) {
    for (uint32_t i = 0; i < from.size(); i++) pack(to[i], from[i]);
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CAPNP_VERSION_MAJOR, CAPNP_VERSION_MINOR, CAPNP_VERSION_MICRO);
}

#endif
