/* What the code of generate.py calls: how values of avrogencpp's structs are filled and hashed;
 * and how the root is decoded and encoded. */
#ifndef RECORDS_H
#define RECORDS_H

#include <serbench/contender.h>
#include <serbench/hash.h>
#include <serbench/writer.h>

#include "data.avro.hh"
#include "data.hpp"

namespace avroed {

/* A union has the name of its value's type in the names of its functions. */
#define UNION(name)                                                          \
    template <typename T>                                                    \
    auto value_of(T &from) -> decltype(from.get_##name()) {                  \
        return from.get_##name();                                            \
    }                                                                        \
    template <typename T, typename V>                                        \
    auto set(T &to, V &value) -> decltype(to.set_##name(std::move(value))) { \
        to.set_##name(std::move(value));                                     \
    }

UNION(bool)
UNION(int)
UNION(long)
UNION(double)
UNION(string)
UNION(array)

inline void walk(sb_hash *h, bool value) { sb_hash_bool(h, value); }
inline void walk(sb_hash *h, int32_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, int64_t value) { sb_hash_i64(h, value); }
inline void walk(sb_hash *h, double value) { sb_hash_f64(h, value); }
inline void walk(sb_hash *h, const std::string &text) { sb_hash_str(h, text.data(), text.size()); }
inline void walk(sb_hash *h, std::string_view key) { sb_hash_str(h, key.data(), key.size()); }

template <typename T>
void walk(sb_hash *h, const std::vector<T> &items);

template <typename T>
auto walk(sb_hash *h, const T &from) -> decltype(from.is_null(), void()) {
    if (from.is_null())
        sb_hash_nil(h);
    else
        walk(h, value_of(from));
}

template <typename T>
void walk(sb_hash *h, const std::vector<T> &items) {
    for (const auto &item : items) walk(h, static_cast<const T &>(item));
    sb_hash_count(h, items.size());
}

inline void fill(const std::string &from, std::string &to) { to = from; }

template <typename T, typename U>
std::enable_if_t<std::is_arithmetic_v<U>> fill(T from, U &to) {
    to = from;
}

template <typename T, typename U>
void fill(const std::vector<T> &from, std::vector<U> &to);

/* Without a value it stays null. */
template <typename T, typename U>
auto fill(const std::optional<T> &from, U &to) -> decltype(to.is_null(), void()) {
    if (!from) return;
    std::decay_t<decltype(value_of(to))> value{};
    fill(*from, value);
    set(to, value);
}

template <typename T, typename U>
void fill(const std::vector<T> &from, std::vector<U> &to) {
    if constexpr (std::is_arithmetic_v<U>) {
        to.assign(from.begin(), from.end());
    } else {
        to.resize(from.size());
        for (size_t i = 0; i < from.size(); i++) fill(from[i], to[i]);
    }
}

#include "records.hpp"

}  // namespace avroed

inline void decode(const char *data, size_t size, avroed::Root &root) {
    const avro::InputStreamPtr in = avro::memoryInputStream(reinterpret_cast<const uint8_t *>(data), size);
    const avro::DecoderPtr decoder = avro::binaryDecoder();
    decoder->init(*in);
    avro::decode(*decoder, root);
}

inline bool encode(const avroed::Root &root, sb_output *out) {
    const avro::OutputStreamPtr stream = avro::memoryOutputStream();
    const avro::EncoderPtr encoder = avro::binaryEncoder();
    encoder->init(*stream);
    avro::encode(*encoder, root);
    encoder->flush();
    const avro::InputStreamPtr blocks = avro::memoryInputStream(*stream);
    const uint8_t *block;
    size_t size;
    while (blocks->next(&block, &size)) {
        if (!sb_output_append(out, block, size)) return sb_fail("out of memory");
    }
    return true;
}

const char *sb_library_version(void) { return ""; }

#endif
