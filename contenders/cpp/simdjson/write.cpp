#include <serbench/writer.h>

#include "parser.h"

#ifdef SIMDJSON_BUILDER_H
using Builder = simdjson::builder::string_builder;

static void write(Builder &json, const sb_value &value) {
    switch (value.type) {
        case SB_NIL: return json.append_null();
        case SB_BOOL: return json.append(value.as.boolean);
        case SB_I64: return json.append(value.as.i64);
        case SB_U64: return json.append(value.as.u64);
        case SB_F64: return json.append(value.as.f64);
        case SB_STR: return json.escape_and_append_with_quotes(std::string_view(value.as.str, value.length));
        case SB_ARRAY:
            json.start_array();
            for (uint32_t i = 0; i < value.length; i++) {
                if (i > 0) json.append_comma();
                write(json, value.as.items[i]);
            }
            return json.end_array();
        default:
            json.start_object();
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                if (i > 0) json.append_comma();
                json.escape_and_append_with_quotes(std::string_view(member.key, member.key_length));
                json.append_colon();
                write(json, member.value);
            }
            return json.end_object();
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    Builder json;
    write(json, *root);
    std::string_view text;
    if (const simdjson::error_code error = json.view().get(text))
        return sb_fail("%s", simdjson::error_message(error));
    sb_output_block(out, text.data(), text.size());
    return true;
}
#else
bool sb_write(const sb_value *, sb_output *) { return sb_fail("this version has no writer: version 4 has"); }
#endif

const char *sb_library_version(void) {
    static const std::string text =
        simdjson_version() + ", string_builder " + simdjson::builtin_implementation()->name() + ")";
    return text.c_str();
}
