#include <serbench/writer.h>

#include <exception>

#include "format.h"

static void write(Encoder &encoder, const sb_value &value) {
    switch (value.type) {
        case SB_NIL: encoder.null_value(); return;
        case SB_BOOL: encoder.bool_value(value.as.boolean); return;
        case SB_I64: encoder.int64_value(value.as.i64); return;
        case SB_U64: encoder.uint64_value(value.as.u64); return;
        case SB_F64: encoder.double_value(value.as.f64); return;
        case SB_STR: encoder.string_value({value.as.str, value.length}); return;
        case SB_ARRAY:
            encoder.begin_array(value.length);
            for (uint32_t i = 0; i < value.length; i++) write(encoder, value.as.items[i]);
            encoder.end_array();
            return;
        default:
            encoder.begin_object(value.length);
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                encoder.key({member.key, member.key_length});
                write(encoder, member.value);
            }
            encoder.end_object();
            return;
    }
}

bool sb_write(const sb_value *root, sb_output *out) try {
    Bytes bytes;
    Encoder encoder(bytes);
    write(encoder, *root);
    encoder.flush();
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
