/* What its trees and its look-ups hash. */
#ifndef SCALAR_H
#define SCALAR_H

#include <serbench/hash.h>

#include "format.h"

/* False if `value` is no scalar of the data model. */
inline bool hash_scalar(const Json &value, sb_hash *h) {
    switch (value.type()) {
        case jsoncons::json_type::null_value: sb_hash_nil(h); return true;
        case jsoncons::json_type::bool_value: sb_hash_bool(h, value.as_bool()); return true;
        case jsoncons::json_type::int64_value: sb_hash_i64(h, value.as<std::int64_t>()); return true;
        case jsoncons::json_type::uint64_value: sb_hash_u64(h, value.as<std::uint64_t>()); return true;
        case jsoncons::json_type::half_value:
        case jsoncons::json_type::double_value: sb_hash_f64(h, value.as_double()); return true;
        case jsoncons::json_type::string_value: {
            const auto text = value.as_string_view();
            sb_hash_str(h, text.data(), text.size());
            return true;
        }
        default: return false;
    }
}

#endif
