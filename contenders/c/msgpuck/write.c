#include <msgpuck.h>
#include <serbench/writer.h>
#include <stdlib.h>

static size_t size_of(const sb_value *value) {
    size_t size;
    switch ((sb_type)value->type) {
        case SB_NIL: return mp_sizeof_nil();
        case SB_BOOL: return mp_sizeof_bool(value->as.boolean);
        case SB_I64: return mp_sizeof_int(value->as.i64);
        case SB_U64: return mp_sizeof_uint(value->as.u64);
        case SB_F64: return mp_sizeof_double(value->as.f64);
        case SB_STR: return mp_sizeof_str(value->length);
        case SB_ARRAY:
            size = mp_sizeof_array(value->length);
            for (uint32_t i = 0; i < value->length; i++) size += size_of(&value->as.items[i]);
            return size;
        default:
            size = mp_sizeof_map(value->length);
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                size += mp_sizeof_str(member->key_length) + size_of(&member->value);
            }
            return size;
    }
}

static char *put(char *at, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return mp_encode_nil(at);
        case SB_BOOL: return mp_encode_bool(at, value->as.boolean);
        case SB_I64: return mp_encode_int(at, value->as.i64);
        case SB_U64: return mp_encode_uint(at, value->as.u64);
        case SB_F64: return mp_encode_double(at, value->as.f64);
        case SB_STR: return mp_encode_str(at, value->as.str, value->length);
        case SB_ARRAY:
            at = mp_encode_array(at, value->length);
            for (uint32_t i = 0; i < value->length; i++) at = put(at, &value->as.items[i]);
            return at;
        default:
            at = mp_encode_map(at, value->length);
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                at = mp_encode_str(at, member->key, member->key_length);
                at = put(at, &member->value);
            }
            return at;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    char *data = malloc(size_of(root));
    if (data == NULL) return sb_fail("out of memory");
    const char *end = put(data, root);
    sb_output_block(out, data, (size_t)(end - data));
    free(data);
    return true;
}

const char *sb_library_version(void) { return ""; }
