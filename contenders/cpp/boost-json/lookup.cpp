#include <serbench/lookup.h>

#include <exception>

#include "memory.h"
#include "version.h"

namespace json = boost::json;

static bool hash_scalar(const json::value *value, sb_hash *h) {
    if (value == nullptr) return false;
    switch (value->kind()) {
        case json::kind::null: sb_hash_nil(h); return true;
        case json::kind::bool_: sb_hash_bool(h, value->get_bool()); return true;
        case json::kind::int64: sb_hash_i64(h, value->get_int64()); return true;
        case json::kind::uint64: sb_hash_u64(h, value->get_uint64()); return true;
        case json::kind::double_: sb_hash_f64(h, value->get_double()); return true;
        case json::kind::string:
            sb_hash_str(h, value->get_string().data(), value->get_string().size());
            return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    MEMORY(memory);
    const json::value root = json::parse(json::string_view(data, size), memory);
    for (size_t i = 0; i < count; i++) {
        const json::string_view pointer(paths[i].pointer, paths[i].pointer_length);
        boost::system::error_code error; /* only says why there is none */
        if (!hash_scalar(root.find_pointer(pointer, error), h)) return sb_missing(&paths[i]);
    }
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
