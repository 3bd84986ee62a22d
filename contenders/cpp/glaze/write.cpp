#include <serbench/writer.h>

#include <exception>

#include "value.h"

static Json convert(const sb_value &value) {
    Json json;
    switch (value.type) {
        case SB_NIL: break;
        case SB_BOOL: json = value.as.boolean; break;
        case SB_I64: json = value.as.i64; break;
        case SB_U64: json = value.as.u64; break;
        case SB_F64: json = value.as.f64; break;
        case SB_STR: json = std::string_view(value.as.str, value.length); break;
        case SB_ARRAY: {
            auto &items = json.data.emplace<Json::array_t>();
            items.reserve(value.length);
            for (uint32_t i = 0; i < value.length; i++) items.push_back(convert(value.as.items[i]));
            break;
        }
        case SB_MAP:
            json.data.emplace<Json::object_t>();
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                json[std::string_view(member.key, member.key_length)] = convert(member.value);
            }
            break;
    }
    return json;
}

bool sb_write(const sb_value *root, sb_output *out) try {
    std::string text;
    const glz::error_ctx error = glz::write<Options{}>(convert(*root), text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
