#include <serbench/reader.h>

#include <exception>
#include <string>

#include "format.h"

static void walk(const Json &value, bool array, sb_hash *h) {
    switch (value.type()) {
        case Json::value_t::null: sb_hash_nil(h); return;
        case Json::value_t::boolean: sb_hash_bool(h, value.get<bool>()); return;
        case Json::value_t::number_integer: sb_hash_i64(h, value.get<int64_t>()); return;
        case Json::value_t::number_unsigned: sb_hash_u64(h, value.get<uint64_t>()); return;
        case Json::value_t::number_float: sb_hash_f64(h, value.get<double>()); return;
        case Json::value_t::string: {
            const auto &text = value.get_ref<const std::string &>();
            sb_hash_str(h, text.data(), text.size());
            return;
        }
        case Json::value_t::array:
            for (const Json &item : value) walk(item, false, h);
            sb_hash_count(h, value.size());
            return;
        case Json::value_t::object:
            for (auto member = value.begin(); member != value.end(); ++member) {
                if (!array) sb_hash_str(h, member.key().data(), member.key().size());
                walk(member.value(), false, h);
            }
            sb_hash_count(h, value.size());
            return;
        default: throw std::runtime_error(std::string("unexpected type ") + value.type_name());
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    walk(decode(data, size), ROOT_IS_DOCUMENT && sb_root_is_array, h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
