#include <cbor.h>
#include <firmware.h>
#include <tinycbor-version.h>

static CborError element(CborValue *it);

/* A string arrives in one piece unless its writer divided it, which none here does. */
static CborError text(CborValue *it) {
    const char *bytes;
    size_t length;
    if (!cbor_value_is_length_known(it)) return CborErrorUnsupportedType;
    CborError error = cbor_value_begin_string_iteration(it);
    if (error == CborNoError) error = cbor_value_get_text_string_chunk(it, &bytes, &length, it);
    if (error != CborNoError) return error;
    sb_hash_str(&fw_sum, bytes, length);
    return cbor_value_finish_string_iteration(it);
}

static CborError container(CborValue *it, bool map) {
    CborValue inner;
    size_t count = 0;
    CborError error = cbor_value_enter_container(it, &inner);
    for (; error == CborNoError && !cbor_value_at_end(&inner); count++) {
        if (map && !cbor_value_is_text_string(&inner)) return CborErrorIllegalType;
        if (map) error = text(&inner);
        if (error == CborNoError) error = element(&inner);
    }
    if (error != CborNoError) return error;
    sb_hash_count(&fw_sum, count);
    return cbor_value_leave_container(it, &inner);
}

static CborError number(const CborValue *it) {
    uint64_t natural;
    int64_t negative;
    CborError error;
    if (cbor_value_is_unsigned_integer(it)) {
        error = cbor_value_get_uint64(it, &natural);
        if (error == CborNoError) sb_hash_u64(&fw_sum, natural);
    } else {
        error = cbor_value_get_int64_checked(it, &negative);
        if (error == CborNoError) sb_hash_i64(&fw_sum, negative);
    }
    return error;
}

static CborError element(CborValue *it) {
    CborError error = CborNoError;
    float real;
    bool boolean;
    switch (cbor_value_get_type(it)) {
        case CborArrayType: return container(it, false);
        case CborMapType: return container(it, true);
        case CborTextStringType: return text(it);
        case CborIntegerType: error = number(it); break;
        case CborNullType: sb_hash_nil(&fw_sum); break;
        case CborBooleanType:
            error = cbor_value_get_boolean(it, &boolean);
            if (error == CborNoError) sb_hash_bool(&fw_sum, boolean);
            break;
        case CborFloatType:
            error = cbor_value_get_float(it, &real);
            if (error == CborNoError) sb_hash_f64(&fw_sum, (double)real);
            break;
        default: return CborErrorUnsupportedType;
    }
    return error == CborNoError ? cbor_value_advance_fixed(it) : error;
}

bool fw_read(const char *data, size_t size) {
    CborParser parser;
    CborValue it;
    CborError error = cbor_parser_init((const uint8_t *)data, size, 0, &parser, &it);
    if (error == CborNoError) error = element(&it);
    return error == CborNoError && cbor_value_get_next_byte(&it) == (const uint8_t *)data + size;
}

bool fw_walk(void) { return true; }

void fw_release(void) {}

size_t fw_pool(void) { return 0; }

static CborError put(CborEncoder *encoder, const sb_value *value) {
    CborEncoder container;
    CborError error;
    switch ((sb_type)value->type) {
        case SB_NIL: return cbor_encode_null(encoder);
        case SB_BOOL: return cbor_encode_boolean(encoder, value->as.boolean);
        case SB_I64: return cbor_encode_int(encoder, value->as.i64);
        case SB_U64: return cbor_encode_uint(encoder, value->as.u64);
        case SB_F64: return cbor_encode_float(encoder, (float)value->as.f64);
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

size_t fw_write(char *out, size_t capacity) {
    CborEncoder encoder;
    cbor_encoder_init(&encoder, (uint8_t *)out, capacity, 0);
    return put(&encoder, &fw_tree) == CborNoError ? cbor_encoder_get_buffer_size(&encoder, (uint8_t *)out)
                                                  : 0;
}

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *fw_version(void) {
    return VERSION(TINYCBOR_VERSION_MAJOR, TINYCBOR_VERSION_MINOR, TINYCBOR_VERSION_PATCH);
}
