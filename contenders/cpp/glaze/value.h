/* The library's value for data of unknown type, and its version. */
#ifndef VALUE_H
#define VALUE_H

#include <serbench/contender.h>
#include <serbench/hash.h>

#include <glaze/json.hpp>
#include <glaze/version.hpp>
#include <string>

using Json = glz::generic_u64;

/* What is below U+0020 is written as JSON asks for; by default it would be left as it is. */
struct Options : glz::opts {
    bool escape_control_characters = true;
};

/* Hashes a scalar; a visitor of Json::data. */
struct Scalar {
    sb_hash *h;
    bool operator()(std::nullptr_t) const { return sb_hash_nil(h), true; }
    bool operator()(bool value) const { return sb_hash_bool(h, value), true; }
    bool operator()(uint64_t value) const { return sb_hash_u64(h, value), true; }
    bool operator()(int64_t value) const { return sb_hash_i64(h, value), true; }
    bool operator()(double value) const { return sb_hash_f64(h, value), true; }
    bool operator()(const std::string &text) const { return sb_hash_str(h, text.data(), text.size()), true; }
    bool operator()(const Json::array_t &) const { return false; }
    bool operator()(const Json::object_t &) const { return false; }
};

const char *sb_library_version(void) {
    static const std::string text = std::to_string(glz::version.major) + "." +
                                    std::to_string(glz::version.minor) + "." +
                                    std::to_string(glz::version.patch);
    return text.c_str();
}

#endif
