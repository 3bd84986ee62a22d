#include <cbor.h>
#include <serbench/writer.h>

static CborError append(void *out, const void *data, size_t size, CborEncoderAppendType type) {
    (void)type;
    return sb_output_append(out, data, size) ? CborNoError : CborErrorOutOfMemory;
}

static CborError put(CborEncoder *encoder, const sb_value *value) {
    CborEncoder container;
    CborError error;
    switch ((sb_type)value->type) {
        case SB_NIL: return cbor_encode_null(encoder);
        case SB_BOOL: return cbor_encode_boolean(encoder, value->as.boolean);
        case SB_I64: return cbor_encode_int(encoder, value->as.i64);
        case SB_U64: return cbor_encode_uint(encoder, value->as.u64);
        case SB_F64: return cbor_encode_double(encoder, value->as.f64);
        case SB_STR: return cbor_encode_text_string(encoder, value->as.str, value->length);
        case SB_ARRAY:
            error = cbor_encoder_create_array(encoder, &container, value->length);
            for (uint32_t i = 0; i < value->length && error == CborNoError; i++)
                error = put(&container, &value->as.items[i]);
            break;
        default:
            error = cbor_encoder_create_map(encoder, &container, value->length);
            for (uint32_t i = 0; i < value->length && error == CborNoError; i++) {
                const sb_member *member = &value->as.members[i];
                error = cbor_encode_text_string(&container, member->key, member->key_length);
                if (error == CborNoError) error = put(&container, &member->value);
            }
    }
    return error == CborNoError ? cbor_encoder_close_container(encoder, &container) : error;
}

bool sb_write(const sb_value *root, sb_output *out) {
    CborEncoder encoder;
    cbor_encoder_init_writer(&encoder, append, out);
    CborError error = put(&encoder, root);
    return error == CborNoError || sb_fail("%s", cbor_error_string(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(TINYCBOR_VERSION_MAJOR, TINYCBOR_VERSION_MINOR, TINYCBOR_VERSION_PATCH);
}
