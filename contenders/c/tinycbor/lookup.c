#include <cbor.h>
#include <serbench/lookup.h>

/* Sets `it` to the element that a step leads to. */
static CborError take_step(CborValue *it, const sb_value *step) {
    CborValue found;
    CborError error;
    if (step->type == SB_STR) {
        if (!cbor_value_is_map(it)) return CborErrorIllegalType;
        error = cbor_value_map_find_value(it, step->as.str, &found);
        if (error == CborNoError && !cbor_value_is_valid(&found)) error = CborErrorUnexpectedEOF;
    } else {
        if (!cbor_value_is_array(it)) return CborErrorIllegalType;
        error = cbor_value_enter_container(it, &found);
        for (uint64_t i = 0; i < step->as.u64 && error == CborNoError; i++)
            error = cbor_value_at_end(&found) ? CborErrorUnexpectedEOF : cbor_value_advance(&found);
        if (error == CborNoError && cbor_value_at_end(&found)) error = CborErrorUnexpectedEOF;
    }
    if (error == CborNoError) *it = found;
    return error;
}

/* A string arrives in one piece unless its writer divided it, which none here does. */
static CborError hash_text(CborValue *it, sb_hash *h) {
    const char *bytes;
    size_t length;
    if (!cbor_value_is_length_known(it)) return CborErrorUnsupportedType;
    CborError error = cbor_value_begin_string_iteration(it);
    if (error == CborNoError) error = cbor_value_get_text_string_chunk(it, &bytes, &length, it);
    if (error == CborNoError) sb_hash_str(h, bytes, length);
    return error;
}

static CborError hash_integer(const CborValue *it, sb_hash *h) {
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

static CborError hash_scalar(CborValue *it, sb_hash *h) {
    CborError error = CborNoError;
    double real;
    bool boolean;
    switch (cbor_value_get_type(it)) {
        case CborTextStringType: return hash_text(it, h);
        case CborIntegerType: return hash_integer(it, h);
        case CborNullType: sb_hash_nil(h); return error;
        case CborBooleanType:
            error = cbor_value_get_boolean(it, &boolean);
            if (error == CborNoError) sb_hash_bool(h, boolean);
            return error;
        case CborDoubleType:
            error = cbor_value_get_double(it, &real);
            if (error == CborNoError) sb_hash_f64(h, real);
            return error;
        default: return CborErrorIllegalType;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    CborParser parser;
    CborValue root;
    CborError error = cbor_parser_init((const uint8_t *)data, size, 0, &parser, &root);
    if (error != CborNoError) return sb_fail("%s", cbor_error_string(error));
    for (size_t i = 0; i < count; i++) {
        CborValue it = root;
        for (uint32_t j = 0; j < paths[i].length && error == CborNoError; j++)
            error = take_step(&it, &paths[i].steps[j]);
        if (error == CborNoError) error = hash_scalar(&it, h);
        if (error != CborNoError) return sb_missing(&paths[i]);
    }
    return true;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(TINYCBOR_VERSION_MAJOR, TINYCBOR_VERSION_MINOR, TINYCBOR_VERSION_PATCH);
}
