#include <serbench/lookup.h>

#include <exception>
#include <string>

#include "format.h"

static bool hash_scalar(const Json &value, sb_hash *h) {
    switch (value.type()) {
        case Json::value_t::null: sb_hash_nil(h); return true;
        case Json::value_t::boolean: sb_hash_bool(h, value.get<bool>()); return true;
        case Json::value_t::number_integer: sb_hash_i64(h, value.get<int64_t>()); return true;
        case Json::value_t::number_unsigned: sb_hash_u64(h, value.get<uint64_t>()); return true;
        case Json::value_t::number_float: sb_hash_f64(h, value.get<double>()); return true;
        case Json::value_t::string: {
            const auto &text = value.get_ref<const std::string &>();
            sb_hash_str(h, text.data(), text.size());
            return true;
        }
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const Json document = decode(data, size);
    for (size_t i = 0; i < count; i++) {
        const Json::json_pointer pointer(std::string(paths[i].pointer, paths[i].pointer_length));
        if (!hash_scalar(document.at(pointer), h)) return sb_missing(&paths[i]);
    }
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
