#include <serbench/reader.h>

#include <exception>
#include <stdexcept>

#include "scalar.h"

static void walk(const Json &value, sb_hash *h) {
    if (value.is_array()) {
        for (const Json &item : value.array_range()) walk(item, h);
        sb_hash_count(h, value.size());
    } else if (value.is_object()) {
        for (const auto &member : value.object_range()) {
            sb_hash_str(h, member.key().data(), member.key().size());
            walk(member.value(), h);
        }
        sb_hash_count(h, value.size());
    } else if (!hash_scalar(value, h)) {
        throw std::runtime_error("unexpected type of value");
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    walk(decode(data, size), h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
