/* What the structs have in common that harness/c/schema.py writes for a schema: how one is made of the value
 * tree, before the clock runs, and how every field is hashed with its key, in the schema's order. */
#pragma once

#include <serbench/contender.h>
#include <serbench/value.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sb {

/* The base of all structs. */
struct Message {};
template <typename T>
inline constexpr bool is_message = std::is_base_of_v<Message, T>;

/* Objects whose keys are data, in their order. */
template <typename T>
struct Map : std::vector<std::pair<std::string, T>> {};

/* Whether the key of a field may be absent: the field is then an optional of its type. */
struct Required {};
struct Optional {};

/* Hashes a value. */
struct Hasher {
    sb_hash *h;

    void operator()(bool value) const { sb_hash_bool(h, value); }
    void operator()(int32_t value) const { sb_hash_i64(h, value); }
    void operator()(int64_t value) const { sb_hash_i64(h, value); }
    void operator()(uint32_t value) const { sb_hash_u64(h, value); }
    void operator()(uint64_t value) const { sb_hash_u64(h, value); }
    void operator()(double value) const { sb_hash_f64(h, value); }
    void operator()(const std::string &text) const { sb_hash_str(h, text.data(), text.size()); }
    template <typename T>
    void operator()(const std::optional<T> &value) const {
        if (value)
            (*this)(*value);
        else
            sb_hash_nil(h);
    }
    template <typename T>
    void operator()(const std::vector<T> &items) const {
        for (const auto &item : items) (*this)(static_cast<const T &>(item));
        sb_hash_count(h, items.size());
    }
    template <typename T>
    void operator()(const Map<T> &entries) const {
        for (const auto &[key, value] : entries) {
            (*this)(key);
            (*this)(value);
        }
        sb_hash_count(h, entries.size());
    }
    template <typename T>
    std::enable_if_t<is_message<T>> operator()(const T &message) const {
        size_t count = 0;
        T::fields(message, [&](std::string_view key, const auto &field, auto presence) {
            if constexpr (std::is_same_v<decltype(presence), Optional>) {
                if (!field) return;
                sb_hash_str(h, key.data(), key.size());
                (*this)(*field);
            } else {
                sb_hash_str(h, key.data(), key.size());
                (*this)(field);
            }
            count++;
        });
        sb_hash_count(h, count);
    }
};

/* Makes a value of what stands in the tree; throws if the data do not follow the schema. */
struct Maker {
    static void need(bool fits) {
        if (!fits) throw std::runtime_error("the data do not follow the schema");
    }
    void operator()(const sb_value &from, bool &to) const {
        need(from.type == SB_BOOL), to = from.as.boolean;
    }
    void operator()(const sb_value &from, double &to) const {
        need(from.type == SB_F64 || from.type == SB_U64 || from.type == SB_I64);
        to = from.type == SB_F64   ? from.as.f64
             : from.type == SB_U64 ? static_cast<double>(from.as.u64)
                                   : static_cast<double>(from.as.i64);
    }
    template <typename T>
    std::enable_if_t<std::is_integral_v<T>> operator()(const sb_value &from, T &to) const {
        need(from.type == SB_U64 || from.type == SB_I64);
        to = from.type == SB_U64 ? static_cast<T>(from.as.u64) : static_cast<T>(from.as.i64);
    }
    void operator()(const sb_value &from, std::string &to) const {
        need(from.type == SB_STR), to.assign(from.as.str, from.length);
    }
    template <typename T>
    void operator()(const sb_value &from, std::optional<T> &to) const {
        if (from.type != SB_NIL) (*this)(from, to.emplace());
    }
    template <typename T>
    void operator()(const sb_value &from, std::vector<T> &to) const {
        need(from.type == SB_ARRAY);
        to.reserve(from.length);
        for (uint32_t i = 0; i < from.length; i++) {
            T item{};
            (*this)(from.as.items[i], item);
            to.push_back(std::move(item));
        }
    }
    template <typename T>
    void operator()(const sb_value &from, Map<T> &to) const {
        need(from.type == SB_MAP);
        to.reserve(from.length);
        for (uint32_t i = 0; i < from.length; i++) {
            const sb_member &member = from.as.members[i];
            T value{};
            (*this)(member.value, value);
            to.emplace_back(std::string(member.key, member.key_length), std::move(value));
        }
    }
    template <typename T>
    std::enable_if_t<is_message<T>> operator()(const sb_value &from, T &to) const {
        need(from.type == SB_MAP);
        uint32_t at = 0;
        T::fields(to, [&](std::string_view key, auto &field, auto presence) {
            const sb_member *member = at < from.length ? &from.as.members[at] : nullptr;
            const bool there = member && std::string_view(member->key, member->key_length) == key;
            at += there;
            if constexpr (std::is_same_v<decltype(presence), Optional>) {
                if (there) (*this)(member->value, field.emplace());
            } else {
                need(there);
                (*this)(member->value, field);
            }
        });
        need(at == from.length);
    }
};

template <typename T>
void hash(sb_hash *h, const T &value) {
    Hasher{h}(value);
}

}  // namespace sb
