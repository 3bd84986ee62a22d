#include <json/json.h>
#include <serbench/reader.h>

#include <exception>
#include <memory>
#include <string>

static void walk(const Json::Value &value, sb_hash *h) {
    const char *begin = nullptr, *end = nullptr;
    switch (value.type()) {
        case Json::nullValue: sb_hash_nil(h); return;
        case Json::booleanValue: sb_hash_bool(h, value.asBool()); return;
        case Json::intValue: sb_hash_i64(h, value.asInt64()); return;
        case Json::uintValue: sb_hash_u64(h, value.asUInt64()); return;
        case Json::realValue: sb_hash_f64(h, value.asDouble()); return;
        case Json::stringValue:
            value.getString(&begin, &end);
            sb_hash_str(h, begin, static_cast<size_t>(end - begin));
            return;
        case Json::arrayValue:
            for (const Json::Value &item : value) walk(item, h);
            sb_hash_count(h, value.size());
            return;
        case Json::objectValue:
            for (auto member = value.begin(); member != value.end(); ++member) {
                begin = member.memberName(&end);
                sb_hash_str(h, begin, static_cast<size_t>(end - begin));
                walk(*member, h);
            }
            sb_hash_count(h, value.size());
            return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    const Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    std::string errors;
    if (!reader->parse(data, data + size, &root, &errors)) return sb_fail("%s", errors.c_str());
    walk(root, h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return JSONCPP_VERSION_STRING; }
