/* The value of the library, and what its scalars hash to. The library does not tell its version. */
#ifndef SCALAR_H
#define SCALAR_H

#include <daw/json/daw_json_link.h>
#include <serbench/contender.h>
#include <serbench/hash.h>

#include <cstdint>
#include <string>
#include <string_view>

#ifdef FULL_PRECISION
constexpr auto FLAGS = daw::json::options::parse_flags<daw::json::options::AllowEscapedNames::yes,
                                                       daw::json::options::IEEE754Precise::yes>;
#else
constexpr auto FLAGS = daw::json::options::parse_flags<daw::json::options::AllowEscapedNames::yes>;
#endif
using Value = daw::json::basic_json_value<FLAGS.value>;

inline void hash_number(const Value &value, sb_hash *h) {
    const std::string_view text = value.get_string_view();
    if (text.find_first_of(".eE") != text.npos)
        sb_hash_f64(h, value.as<double>());
    else if (text.front() == '-')
        sb_hash_i64(h, value.as<int64_t>());
    else
        sb_hash_u64(h, value.as<uint64_t>());
}

inline void hash_string(const Value &value, sb_hash *h) {
    const auto text = value.as<std::string>();
    sb_hash_str(h, text.data(), text.size());
}

const char *sb_library_version(void) { return ""; }

#endif
