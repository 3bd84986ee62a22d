#include <serbench/reader.h>

#include <exception>

#include "value.h"

struct Walk : Scalar {
    using Scalar::operator();
    bool operator()(const Json::array_t &items) const {
        for (const Json &item : items) std::visit(*this, item.data);
        return sb_hash_count(h, items.size()), true;
    }
    bool operator()(const Json::object_t &members) const {
        for (const auto &[key, value] : members) {
            sb_hash_str(h, key.data(), key.size());
            std::visit(*this, value.data);
        }
        return sb_hash_count(h, members.size()), true;
    }
};

bool sb_read(char *data, size_t size, sb_hash *h) try {
    const std::string_view text(data, size);
    Json json;
    const glz::error_ctx error = glz::read_json(json, text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    return std::visit(Walk{{h}}, json.data);
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
