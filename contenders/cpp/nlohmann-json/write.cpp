#include <serbench/writer.h>

#include <exception>
#include <string>

#include "format.h"

/* The library encodes its own values only. `indexed` makes an array a map whose keys are the indexes. */
static Json convert(const sb_value &value, bool indexed = false) {
    switch (value.type) {
        case SB_NIL: return nullptr;
        case SB_BOOL: return value.as.boolean;
        case SB_I64: return value.as.i64;
        case SB_U64: return value.as.u64;
        case SB_F64: return value.as.f64;
        case SB_STR: return std::string(value.as.str, value.length);
        default: break;
    }
    Json container = value.type == SB_MAP || indexed ? Json::object() : Json::array();
    for (uint32_t i = 0; i < value.length; i++) {
        if (value.type == SB_MAP) {
            const sb_member &member = value.as.members[i];
            container[std::string(member.key, member.key_length)] = convert(member.value);
        } else if (indexed) {
            container[std::to_string(i)] = convert(value.as.items[i]);
        } else {
            container.push_back(convert(value.as.items[i]));
        }
    }
    return container;
}

bool sb_write(const sb_value *root, sb_output *out) try {
    const auto encoded = encode(convert(*root, ROOT_IS_DOCUMENT && root->type == SB_ARRAY));
    sb_output_block(out, encoded.data(), encoded.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
