/* The canonical MessagePack encoder: integers and lengths in their shortest form, doubles in eight bytes, or
 * in four under SB_FLOAT32. */
#include <serbench/writer.h>

/* Formats by their names in the specification; those with FIX hold a small number themselves. */
enum { FIXMAP = 0x80, FIXARRAY = 0x90, FIXSTR = 0xa0, NIL = 0xc0, FALSE = 0xc2, TRUE = 0xc3, FLOAT32 = 0xca };
enum { UINT8 = 0xcc, INT8 = 0xd0, STR8 = 0xd9, ARRAY16 = 0xdc, MAP16 = 0xde };

static bool put_bytes(sb_output *out, unsigned first, uint64_t bits, unsigned size) {
    unsigned char bytes[9] = {(unsigned char)first};
    for (unsigned i = 1; i <= size; i++) bytes[i] = (unsigned char)(bits >> (8 * (size - i)));
    return sb_output_append(out, bytes, 1 + size);
}

static bool put_unsigned(sb_output *out, uint64_t number) {
    if (number <= INT8_MAX) return put_bytes(out, (unsigned)number, 0, 0);
    if (number <= UINT8_MAX) return put_bytes(out, UINT8, number, 1);
    if (number <= UINT16_MAX) return put_bytes(out, UINT8 + 1, number, 2);
    if (number <= UINT32_MAX) return put_bytes(out, UINT8 + 2, number, 4);
    return put_bytes(out, UINT8 + 3, number, 8);
}

static bool put_negative(sb_output *out, int64_t number) {
    if (number >= -32) return put_bytes(out, (unsigned)number & 0xff, 0, 0);
    if (number >= INT8_MIN) return put_bytes(out, INT8, (uint64_t)number, 1);
    if (number >= INT16_MIN) return put_bytes(out, INT8 + 1, (uint64_t)number, 2);
    if (number >= INT32_MIN) return put_bytes(out, INT8 + 2, (uint64_t)number, 4);
    return put_bytes(out, INT8 + 3, (uint64_t)number, 8);
}

static bool put_double(sb_output *out, double number) {
#ifdef SB_FLOAT32
    const float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return put_bytes(out, FLOAT32, bits, sizeof bits);
#else
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return put_bytes(out, FLOAT32 + 1, bits, sizeof bits);
#endif
}

static bool put_text(sb_output *out, const char *bytes, uint32_t length) {
    bool good;
    if (length < 32)
        good = put_bytes(out, FIXSTR | length, 0, 0);
    else if (length <= UINT8_MAX)
        good = put_bytes(out, STR8, length, 1);
    else if (length <= UINT16_MAX)
        good = put_bytes(out, STR8 + 1, length, 2);
    else
        good = put_bytes(out, STR8 + 2, length, 4);
    return good && sb_output_append(out, bytes, length);
}

static bool put_count(sb_output *out, unsigned fix, unsigned sixteen, uint32_t count) {
    if (count < 16) return put_bytes(out, fix | count, 0, 0);
    if (count <= UINT16_MAX) return put_bytes(out, sixteen, count, 2);
    return put_bytes(out, sixteen + 1, count, 4);
}

static bool put(sb_output *out, const sb_value *value) {
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return put_bytes(out, NIL, 0, 0);
        case SB_BOOL: return put_bytes(out, value->as.boolean ? TRUE : FALSE, 0, 0);
        case SB_I64: return put_negative(out, value->as.i64);
        case SB_U64: return put_unsigned(out, value->as.u64);
        case SB_F64: return put_double(out, value->as.f64);
        case SB_STR: return put_text(out, value->as.str, value->length);
        case SB_ARRAY:
            good = put_count(out, FIXARRAY, ARRAY16, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(out, &value->as.items[i]);
            return good;
        default:
            good = put_count(out, FIXMAP, MAP16, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = put_text(out, member->key, member->key_length) && put(out, &member->value);
            }
            return good;
    }
}

bool sb_write(const sb_value *root, sb_output *out) { return put(out, root) || sb_fail("out of memory"); }

const char *sb_library_version(void) { return "1"; }
