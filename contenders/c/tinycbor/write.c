#include <cbor.h>
#include <serbench/writer.h>
#include <stdlib.h>

#ifdef WRITER_FUNCTION
static bool goes_on(CborError error) { return error == CborNoError; }
#else
/* Encoding goes on when the buffer is full: the encoder counts the bytes that it has no room for. */
static bool goes_on(CborError error) { return error == CborNoError || error == CborErrorOutOfMemory; }
#endif

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
            for (uint32_t i = 0; i < value->length && goes_on(error); i++)
                error = put(&container, &value->as.items[i]);
            break;
        default:
            error = cbor_encoder_create_map(encoder, &container, value->length);
            for (uint32_t i = 0; i < value->length && goes_on(error); i++) {
                const sb_member *member = &value->as.members[i];
                error = cbor_encode_text_string(&container, member->key, member->key_length);
                if (goes_on(error)) error = put(&container, &member->value);
            }
    }
    return goes_on(error) ? cbor_encoder_close_container(encoder, &container) : error;
}

#ifdef WRITER_FUNCTION
static CborError append(void *out, const void *data, size_t size, CborEncoderAppendType type) {
    (void)type;
    return sb_output_append(out, data, size) ? CborNoError : CborErrorOutOfMemory;
}

bool sb_write(const sb_value *root, sb_output *out) {
    CborEncoder encoder;
    cbor_encoder_init_writer(&encoder, append, out);
    CborError error = put(&encoder, root);
    return error == CborNoError || sb_fail("%s", cbor_error_string(error));
}
#else
/* Its manual's own loop: a document that did not fit is encoded again, into a buffer of the right size. */
bool sb_write(const sb_value *root, sb_output *out) {
    CborEncoder encoder;
    CborError error = CborErrorOutOfMemory;
    uint8_t *buffer = NULL;
    size_t size = 256;
    while (error == CborErrorOutOfMemory) {
        uint8_t *larger = realloc(buffer, size);
        if (larger == NULL) break;
        buffer = larger;
        cbor_encoder_init(&encoder, buffer, size, 0);
        error = put(&encoder, root);
        size += cbor_encoder_get_extra_bytes_needed(&encoder);
    }
    if (error == CborNoError) sb_output_block(out, buffer, cbor_encoder_get_buffer_size(&encoder, buffer));
    free(buffer);
    return error == CborNoError || sb_fail("%s", cbor_error_string(error));
}
#endif

const char *sb_library_version(void) {
    return SB_VERSION_3(TINYCBOR_VERSION_MAJOR, TINYCBOR_VERSION_MINOR, TINYCBOR_VERSION_PATCH);
}
