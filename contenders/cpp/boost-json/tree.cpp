#include <serbench/reader.h>

#include <exception>

#include "memory.h"
#include "version.h"

namespace json = boost::json;

static void hash_text(json::string_view text, sb_hash *h) { sb_hash_str(h, text.data(), text.size()); }

static void walk(const json::value &value, sb_hash *h) {
    switch (value.kind()) {
        case json::kind::null: sb_hash_nil(h); return;
        case json::kind::bool_: sb_hash_bool(h, value.get_bool()); return;
        case json::kind::int64: sb_hash_i64(h, value.get_int64()); return;
        case json::kind::uint64: sb_hash_u64(h, value.get_uint64()); return;
        case json::kind::double_: sb_hash_f64(h, value.get_double()); return;
        case json::kind::string: hash_text(value.get_string(), h); return;
        case json::kind::array:
            for (const json::value &item : value.get_array()) walk(item, h);
            sb_hash_count(h, value.get_array().size());
            return;
        case json::kind::object:
            for (const auto &member : value.get_object()) {
                hash_text(member.key(), h);
                walk(member.value(), h);
            }
            sb_hash_count(h, value.get_object().size());
            return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    MEMORY(memory);
    walk(json::parse(json::string_view(data, size), memory), h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
