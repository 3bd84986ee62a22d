#include <flatbuffers/flexbuffers.h>
#include <serbench/writer.h>

static void put(flexbuffers::Builder &builder, const sb_value &value) {
    size_t start;
    switch (value.type) {
        case SB_NIL: builder.Null(); return;
        case SB_BOOL: builder.Bool(value.as.boolean); return;
        case SB_I64: builder.Int(value.as.i64); return;
        case SB_U64: builder.UInt(value.as.u64); return;
        case SB_F64: builder.Double(value.as.f64); return;
        case SB_STR: builder.String(value.as.str, value.length); return;
        case SB_ARRAY:
            start = builder.StartVector();
            for (uint32_t i = 0; i < value.length; i++) put(builder, value.as.items[i]);
            builder.EndVector(start, false, false); /* neither typed nor of a fixed length */
            return;
        default:
            start = builder.StartMap();
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                builder.Key(member.key, member.key_length);
                put(builder, member.value);
            }
            builder.EndMap(start);
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    flexbuffers::Builder builder;
    put(builder, *root);
    builder.Finish();
    const auto &bytes = builder.GetBuffer();
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION);
}
