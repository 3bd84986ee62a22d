#include <serbench/writer.h>

#include <exception>

#include "memory.h"
#include "version.h"

namespace json = boost::json;

static json::value convert(const sb_value &value, const json::storage_ptr &memory) {
    switch (value.type) {
        case SB_NIL: return json::value(nullptr, memory);
        case SB_BOOL: return json::value(value.as.boolean, memory);
        case SB_I64: return json::value(value.as.i64, memory);
        case SB_U64: return json::value(value.as.u64, memory);
        case SB_F64: return json::value(value.as.f64, memory);
        case SB_STR: return json::value(json::string_view(value.as.str, value.length), memory);
        case SB_ARRAY: {
            json::array array(memory);
            array.reserve(value.length);
            for (uint32_t i = 0; i < value.length; i++) array.push_back(convert(value.as.items[i], memory));
            return array;
        }
        default: {
            json::object object(value.length, memory);
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                object.emplace(json::string_view(member.key, member.key_length),
                               convert(member.value, memory));
            }
            return object;
        }
    }
}

bool sb_write(const sb_value *root, sb_output *out) try {
    MEMORY(memory);
    const std::string text = json::serialize(convert(*root, memory));
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
