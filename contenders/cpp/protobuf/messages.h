/* What the code of generate.py calls: how values of messages are hashed; and how the root is
 * parsed and serialized. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <serbench/contender.h>
#include <serbench/writer.h>

#include "data.hpp"
#include "messages.pb.cc"

inline void walk(sb_hash *h, bool value) { sb_hash_bool(h, value); }
inline void walk(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, uint32_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, uint64_t value) { sb_hash_u64(h, value); }
inline void walk(sb_hash *h, double value) { sb_hash_f64(h, value); }
inline void walk(sb_hash *h, const std::string &text) { sb_hash_str(h, text.data(), text.size()); }
inline void walk(sb_hash *h, std::string_view key) { sb_hash_str(h, key.data(), key.size()); }

template <typename Items>
auto walk(sb_hash *h, const Items &items) -> decltype(items.begin(), void()) {
    for (const auto &item : items) walk(h, item);
    sb_hash_count(h, static_cast<size_t>(items.size()));
}

#include "messages.hpp"

inline bool parse(const char *data, size_t size, Root *root) {
    return root->ParseFromArray(data, static_cast<int>(size)) || sb_fail("the library refuses the bytes");
}

inline bool serialize(const Root &root, sb_output *out) {
    std::string bytes;
    if (!root.SerializeToString(&bytes)) return sb_fail("the library refuses the message");
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
}

const char *sb_library_version(void) {
    static const std::string version = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
    return version.c_str();
}

#endif
