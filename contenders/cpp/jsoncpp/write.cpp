#include <json/json.h>
#include <serbench/writer.h>

#include <exception>
#include <string>

static Json::Value convert(const sb_value &value) {
    switch (value.type) {
        case SB_NIL: return Json::Value();
        case SB_BOOL: return value.as.boolean;
        case SB_I64: return Json::Int64{value.as.i64};
        case SB_U64: return Json::UInt64{value.as.u64};
        case SB_F64: return value.as.f64;
        case SB_STR: return Json::Value(value.as.str, value.as.str + value.length);
        case SB_ARRAY: {
            Json::Value array(Json::arrayValue);
            for (uint32_t i = 0; i < value.length; i++) array.append(convert(value.as.items[i]));
            return array;
        }
        default: {
            Json::Value object(Json::objectValue);
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                object[std::string(member.key, member.key_length)] = convert(member.value);
            }
            return object;
        }
    }
}

bool sb_write(const sb_value *root, sb_output *out) try {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    const std::string text = Json::writeString(builder, convert(*root));
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return JSONCPP_VERSION_STRING; }
