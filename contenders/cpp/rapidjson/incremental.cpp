#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <serbench/reader.h>

#include "flags.h"

struct Handler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
    explicit Handler(sb_hash *hash) : h(hash) {}
    bool Null() { return sb_hash_nil(h), true; }
    bool Bool(bool value) { return sb_hash_bool(h, value), true; }
    bool Int(int value) { return sb_hash_i64(h, value), true; }
    bool Uint(unsigned value) { return sb_hash_u64(h, value), true; }
    bool Int64(int64_t value) { return sb_hash_i64(h, value), true; }
    bool Uint64(uint64_t value) { return sb_hash_u64(h, value), true; }
    bool Double(double value) { return sb_hash_f64(h, value), true; }
    bool String(const char *bytes, unsigned length, bool) { return sb_hash_str(h, bytes, length), true; }
    bool Key(const char *bytes, unsigned length, bool) { return sb_hash_str(h, bytes, length), true; }
    bool EndObject(unsigned count) { return sb_hash_count(h, count), true; }
    bool EndArray(unsigned count) { return sb_hash_count(h, count), true; }
    sb_hash *h;
};

bool sb_read(char *data, size_t size, sb_hash *h) {
    rapidjson::Reader reader;
    Handler handler(h);
    (void)size; /* both read up to the zero byte after the data */
#ifdef IN_SITU
    rapidjson::InsituStringStream stream(data);
    rapidjson::ParseResult result = reader.Parse<FLAGS | rapidjson::kParseInsituFlag>(stream, handler);
#else
    rapidjson::StringStream stream(data);
    rapidjson::ParseResult result = reader.Parse<FLAGS>(stream, handler);
#endif
    if (result.IsError())
        return sb_fail("%s at byte %zu", rapidjson::GetParseError_En(result.Code()), result.Offset());
    return true;
}

const char *sb_library_version(void) { return RAPIDJSON_VERSION_STRING; }
