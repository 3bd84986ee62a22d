#include <cbor.h>
#include <serbench/reader.h>

static CborError element(CborValue *it, sb_hash *h);

/* A string arrives in one piece unless its writer divided it, which none here does. */
static CborError text(CborValue *it, sb_hash *h) {
    const char *bytes;
    size_t length;
    if (!cbor_value_is_length_known(it)) return CborErrorUnsupportedType;
    CborError error = cbor_value_begin_string_iteration(it);
    if (error == CborNoError) error = cbor_value_get_text_string_chunk(it, &bytes, &length, it);
    if (error != CborNoError) return error;
    sb_hash_str(h, bytes, length);
    return cbor_value_finish_string_iteration(it);
}

static CborError container(CborValue *it, bool map, sb_hash *h) {
    CborValue inner;
    size_t count = 0;
    CborError error = cbor_value_enter_container(it, &inner);
    for (; error == CborNoError && !cbor_value_at_end(&inner); count++) {
        if (map && !cbor_value_is_text_string(&inner)) return CborErrorIllegalType;
        if (map) error = text(&inner, h);
        if (error == CborNoError) error = element(&inner, h);
    }
    if (error != CborNoError) return error;
    sb_hash_count(h, count);
    return cbor_value_leave_container(it, &inner);
}

static CborError number(const CborValue *it, sb_hash *h) {
    uint64_t bits;
    int64_t negative;
    CborError error;
    if (cbor_value_is_unsigned_integer(it)) {
        error = cbor_value_get_uint64(it, &bits);
        if (error == CborNoError) sb_hash_u64(h, bits);
    } else {
        error = cbor_value_get_int64_checked(it, &negative);
        if (error == CborNoError) sb_hash_i64(h, negative);
    }
    return error;
}

static CborError element(CborValue *it, sb_hash *h) {
    CborError error = CborNoError;
    double real;
    bool boolean;
    switch (cbor_value_get_type(it)) {
        case CborArrayType: return container(it, false, h);
        case CborMapType: return container(it, true, h);
        case CborTextStringType: return text(it, h);
        case CborIntegerType: error = number(it, h); break;
        case CborNullType: sb_hash_nil(h); break;
        case CborBooleanType:
            error = cbor_value_get_boolean(it, &boolean);
            if (error == CborNoError) sb_hash_bool(h, boolean);
            break;
        case CborDoubleType:
            error = cbor_value_get_double(it, &real);
            if (error == CborNoError) sb_hash_f64(h, real);
            break;
        default: return CborErrorUnsupportedType;
    }
    return error == CborNoError ? cbor_value_advance_fixed(it) : error;
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    CborParser parser;
    CborValue it;
    CborError error = cbor_parser_init((const uint8_t *)data, size, 0, &parser, &it);
    if (error == CborNoError) error = element(&it, h);
    if (error != CborNoError) return sb_fail("%s", cbor_error_string(error));
    return cbor_value_get_next_byte(&it) == (const uint8_t *)data + size || sb_fail("more than one item");
}

const char *sb_library_version(void) {
    return SB_VERSION_3(TINYCBOR_VERSION_MAJOR, TINYCBOR_VERSION_MINOR, TINYCBOR_VERSION_PATCH);
}
