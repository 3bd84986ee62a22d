/* What the code of generate.py calls: how values of thrift's objects are hashed. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <serbench/contender.h>
#include <serbench/writer.h>
#include <thrift/config.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <memory>

#include "data.hpp"
#include "data_types.cpp"

inline void walk(sb_hash *h, bool value) { sb_hash_bool(h, value); }
inline void walk(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, double value) { sb_hash_f64(h, value); }
inline void walk(sb_hash *h, const std::string &text) { sb_hash_str(h, text.data(), text.size()); }
inline void walk(sb_hash *h, std::string_view key) { sb_hash_str(h, key.data(), key.size()); }

template <typename T>
void walk(sb_hash *h, const std::vector<T> &items);

#include "objects.hpp"

template <typename T>
void walk(sb_hash *h, const std::vector<T> &items) {
    for (const auto &item : items) walk(h, static_cast<const T &>(item));
    sb_hash_count(h, items.size());
}

using apache::thrift::protocol::TCompactProtocol;
using apache::thrift::transport::TMemoryBuffer;

inline void encode(const Root &root, sb_output *out) {
    const auto buffer = std::make_shared<TMemoryBuffer>();
    TCompactProtocol protocol(buffer);
    root.write(&protocol);
    uint8_t *bytes = nullptr;
    uint32_t size = 0;
    buffer->getBuffer(&bytes, &size);
    sb_output_block(out, bytes, size);
}

inline void decode(const char *bytes, size_t size, Root *root) {
    auto *where = reinterpret_cast<uint8_t *>(const_cast<char *>(bytes));
    const auto buffer = std::make_shared<TMemoryBuffer>(where, static_cast<uint32_t>(size));
    TCompactProtocol protocol(buffer);
    root->read(&protocol);
}

const char *sb_library_version(void) { return PACKAGE_VERSION; }

#endif
