#include <serbench/lookup.h>

#include "parser.h"

namespace dom = simdjson::dom;

static bool hash_scalar(const dom::element &value, sb_hash *h) {
    switch (value.type()) {
        case dom::element_type::NULL_VALUE: sb_hash_nil(h); return true;
        case dom::element_type::BOOL: sb_hash_bool(h, bool(value)); return true;
        case dom::element_type::INT64: sb_hash_i64(h, int64_t(value)); return true;
        case dom::element_type::UINT64: sb_hash_u64(h, uint64_t(value)); return true;
        case dom::element_type::DOUBLE: sb_hash_f64(h, double(value)); return true;
        case dom::element_type::STRING: {
            const std::string_view text(value);
            sb_hash_str(h, text.data(), text.size());
            return true;
        }
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    dom::parser parser;
    const dom::element root = parser.parse(data, size, false); /* the padding is there already */
    for (size_t i = 0; i < count; i++) {
        const std::string_view pointer(paths[i].pointer, paths[i].pointer_length);
        dom::element value;
        if (root.at_pointer(pointer).get(value) != simdjson::SUCCESS || !hash_scalar(value, h))
            return sb_missing(&paths[i]);
    }
    return true;
} catch (const simdjson::simdjson_error &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) {
    static const std::string text = simdjson_version() + ")";
    return text.c_str();
}
