#include <serbench/reader.h>

#include "parser.h"

namespace dom = simdjson::dom;

static void walk(const dom::element &value, sb_hash *h) {
    switch (value.type()) {
        case dom::element_type::NULL_VALUE: sb_hash_nil(h); return;
        case dom::element_type::BOOL: sb_hash_bool(h, bool(value)); return;
        case dom::element_type::INT64: sb_hash_i64(h, int64_t(value)); return;
        case dom::element_type::UINT64: sb_hash_u64(h, uint64_t(value)); return;
        case dom::element_type::DOUBLE: sb_hash_f64(h, double(value)); return;
        case dom::element_type::STRING: {
            const std::string_view text(value);
            sb_hash_str(h, text.data(), text.size());
            return;
        }
        case dom::element_type::ARRAY: {
            size_t count = 0; /* size() would be capped at 0xFFFFFF */
            for (const dom::element item : dom::array(value)) walk(item, h), count++;
            sb_hash_count(h, count);
            return;
        }
        case dom::element_type::OBJECT: {
            size_t count = 0;
            for (const dom::key_value_pair member : dom::object(value)) {
                sb_hash_str(h, member.key.data(), member.key.size());
                walk(member.value, h), count++;
            }
            sb_hash_count(h, count);
            return;
        }
        default:
            throw simdjson::simdjson_error(
                simdjson::INCORRECT_TYPE); /* version 4 has one for larger integers */
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    PARSER_STORAGE dom::parser parser;
    walk(parser.parse(data, size, false), h); /* false: the padding is there, so it need not copy */
    return true;
} catch (const simdjson::simdjson_error &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) {
    static const std::string text = simdjson_version() + ")";
    return text.c_str();
}
