#include <rapidjson/memorybuffer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <serbench/writer.h>

template <class Writer>
static bool put(Writer &writer, const sb_value &value) {
    switch (value.type) {
        case SB_NIL: return writer.Null();
        case SB_BOOL: return writer.Bool(value.as.boolean);
        case SB_I64: return writer.Int64(value.as.i64);
        case SB_U64: return writer.Uint64(value.as.u64);
        case SB_F64: return writer.Double(value.as.f64);
        case SB_STR: return writer.String(value.as.str, value.length);
        case SB_ARRAY:
            if (!writer.StartArray()) return false;
            for (uint32_t i = 0; i < value.length; i++)
                if (!put(writer, value.as.items[i])) return false;
            return writer.EndArray(value.length);
        default:
            if (!writer.StartObject()) return false;
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                if (!writer.Key(member.key, member.key_length) || !put(writer, member.value)) return false;
            }
            return writer.EndObject(value.length);
    }
}

#ifdef VALIDATE
constexpr unsigned WRITE_FLAGS = rapidjson::kWriteValidateEncodingFlag;
#else
constexpr unsigned WRITE_FLAGS = rapidjson::kWriteDefaultFlags;
#endif
template <class Stream>
using JsonWriter =
    rapidjson::Writer<Stream, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator, WRITE_FLAGS>;

#ifdef SECOND_STREAM
/* Instantiates the writer once more; never called, which only the linker must not know. */
bool second_stream(const sb_value *root) {
    rapidjson::MemoryBuffer buffer;
    JsonWriter<rapidjson::MemoryBuffer> writer(buffer);
    return put(writer, *root);
}
bool (*volatile second)(const sb_value *) = second_stream;
#endif

bool sb_write(const sb_value *root, sb_output *out) {
#ifdef SECOND_STREAM
    if (second == nullptr) return false;
#endif
    rapidjson::StringBuffer buffer;
    JsonWriter<rapidjson::StringBuffer> writer(buffer);
    if (!put(writer, *root)) return sb_fail("the writer refused a value");
    sb_output_block(out, buffer.GetString(), buffer.GetSize());
    return true;
}

const char *sb_library_version(void) { return RAPIDJSON_VERSION_STRING; }
