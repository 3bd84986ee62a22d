#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/pointer.h>
#include <serbench/lookup.h>

#include "flags.h"

static bool hash_scalar(const rapidjson::Value *value, sb_hash *h) {
    if (value == nullptr) return false;
    switch (value->GetType()) {
        case rapidjson::kNullType: sb_hash_nil(h); return true;
        case rapidjson::kFalseType: sb_hash_bool(h, false); return true;
        case rapidjson::kTrueType: sb_hash_bool(h, true); return true;
        case rapidjson::kStringType:
            sb_hash_str(h, value->GetString(), value->GetStringLength());
            return true;
        case rapidjson::kNumberType:
            if (value->IsUint64())
                sb_hash_u64(h, value->GetUint64());
            else if (value->IsInt64())
                sb_hash_i64(h, value->GetInt64());
            else
                sb_hash_f64(h, value->GetDouble());
            return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t, const sb_path *paths, size_t count, sb_hash *h) {
    rapidjson::Document document; /* reads up to the zero byte after the data */
    document.Parse<FLAGS>(data);
    if (document.HasParseError())
        return sb_fail("%s at byte %zu", rapidjson::GetParseError_En(document.GetParseError()),
                       document.GetErrorOffset());
    for (size_t i = 0; i < count; i++) {
        const rapidjson::Pointer pointer(paths[i].pointer, paths[i].pointer_length);
        if (!pointer.IsValid() || !hash_scalar(pointer.Get(document), h)) return sb_missing(&paths[i]);
    }
    return true;
}

const char *sb_library_version(void) { return RAPIDJSON_VERSION_STRING; }
