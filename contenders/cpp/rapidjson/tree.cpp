#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <serbench/reader.h>

#include "flags.h"

static void walk(const rapidjson::Value &value, sb_hash *h) {
    switch (value.GetType()) {
        case rapidjson::kNullType: sb_hash_nil(h); return;
        case rapidjson::kFalseType: sb_hash_bool(h, false); return;
        case rapidjson::kTrueType: sb_hash_bool(h, true); return;
        case rapidjson::kStringType: sb_hash_str(h, value.GetString(), value.GetStringLength()); return;
        case rapidjson::kNumberType:
            if (value.IsUint64())
                sb_hash_u64(h, value.GetUint64());
            else if (value.IsInt64())
                sb_hash_i64(h, value.GetInt64());
            else
                sb_hash_f64(h, value.GetDouble());
            return;
        case rapidjson::kArrayType:
            for (const rapidjson::Value &item : value.GetArray()) walk(item, h);
            sb_hash_count(h, value.Size());
            return;
        case rapidjson::kObjectType:
            for (const auto &member : value.GetObject()) {
                sb_hash_str(h, member.name.GetString(), member.name.GetStringLength());
                walk(member.value, h);
            }
            sb_hash_count(h, value.MemberCount());
            return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    rapidjson::Document document;
    (void)size; /* both read up to the zero byte after the data */
#ifdef IN_SITU
    document.ParseInsitu<FLAGS>(data);
#else
    document.Parse<FLAGS>(data);
#endif
    if (document.HasParseError())
        return sb_fail("%s at byte %zu", rapidjson::GetParseError_En(document.GetParseError()),
                       document.GetErrorOffset());
    walk(document, h);
    return true;
}

const char *sb_library_version(void) { return RAPIDJSON_VERSION_STRING; }
