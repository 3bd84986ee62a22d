#include <json/json.h>
#include <serbench/lookup.h>

#include <exception>
#include <memory>
#include <string>

static const Json::Value *follow(const Json::Value *value, const sb_path *path) {
    for (uint32_t i = 0; i < path->length && value != nullptr; i++) {
        const sb_value &step = path->steps[i];
        if (step.type == SB_STR)
            value = value->isObject() ? value->find(step.as.str, step.as.str + step.length) : nullptr;
        else if (value->isArray() && step.as.u64 < value->size())
            value = &(*value)[static_cast<Json::ArrayIndex>(step.as.u64)];
        else
            value = nullptr;
    }
    return value;
}

static bool hash_scalar(const Json::Value *value, sb_hash *h) {
    if (value == nullptr) return false;
    const char *begin = nullptr, *end = nullptr;
    switch (value->type()) {
        case Json::nullValue: sb_hash_nil(h); return true;
        case Json::booleanValue: sb_hash_bool(h, value->asBool()); return true;
        case Json::intValue: sb_hash_i64(h, value->asInt64()); return true;
        case Json::uintValue: sb_hash_u64(h, value->asUInt64()); return true;
        case Json::realValue: sb_hash_f64(h, value->asDouble()); return true;
        case Json::stringValue:
            value->getString(&begin, &end);
            sb_hash_str(h, begin, static_cast<size_t>(end - begin));
            return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    std::string errors;
    if (!reader->parse(data, data + size, &root, &errors)) return sb_fail("%s", errors.c_str());
    for (size_t i = 0; i < count; i++)
        if (!hash_scalar(follow(&root, &paths[i]), h)) return sb_missing(&paths[i]);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return JSONCPP_VERSION_STRING; }
