/* The canonical CBOR encoder: the preferred serialization of RFC 8949, but for doubles, which all have
 * eight bytes, as they have in the other binary formats, or four under SB_FLOAT32. */
#include <serbench/writer.h>

/* The high three bits of an item's first byte, by their names in the RFC. */
enum { UNSIGNED = 0x00, NEGATIVE = 0x20, TEXT = 0x60, ARRAY = 0x80, MAP = 0xa0, SIMPLE = 0xe0 };
enum { FALSE = SIMPLE | 20, TRUE = SIMPLE | 21, NIL = SIMPLE | 22, SINGLE = SIMPLE | 26 };

static bool put_bytes(sb_output *out, unsigned first, uint64_t bits, unsigned size) {
    unsigned char bytes[9] = {(unsigned char)first};
    for (unsigned i = 1; i <= size; i++) bytes[i] = (unsigned char)(bits >> (8 * (size - i)));
    return sb_output_append(out, bytes, 1 + size);
}

static bool put_head(sb_output *out, unsigned major, uint64_t number) {
    if (number < 24) return put_bytes(out, major | (unsigned)number, 0, 0);
    if (number <= UINT8_MAX) return put_bytes(out, major | 24, number, 1);
    if (number <= UINT16_MAX) return put_bytes(out, major | 25, number, 2);
    if (number <= UINT32_MAX) return put_bytes(out, major | 26, number, 4);
    return put_bytes(out, major | 27, number, 8);
}

static bool put_double(sb_output *out, double number) {
#ifdef SB_FLOAT32
    const float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return put_bytes(out, SINGLE, bits, sizeof bits);
#else
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return put_bytes(out, SINGLE + 1, bits, sizeof bits);
#endif
}

static bool put_text(sb_output *out, const char *bytes, uint32_t length) {
    return put_head(out, TEXT, length) && sb_output_append(out, bytes, length);
}

static bool put(sb_output *out, const sb_value *value) {
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return put_bytes(out, NIL, 0, 0);
        case SB_BOOL: return put_bytes(out, value->as.boolean ? TRUE : FALSE, 0, 0);
        case SB_I64: return put_head(out, NEGATIVE, ~(uint64_t)value->as.i64); /* -1 - n */
        case SB_U64: return put_head(out, UNSIGNED, value->as.u64);
        case SB_F64: return put_double(out, value->as.f64);
        case SB_STR: return put_text(out, value->as.str, value->length);
        case SB_ARRAY:
            good = put_head(out, ARRAY, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(out, &value->as.items[i]);
            return good;
        default:
            good = put_head(out, MAP, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = put_text(out, member->key, member->key_length) && put(out, &member->value);
            }
            return good;
    }
}

bool sb_write(const sb_value *root, sb_output *out) { return put(out, root) || sb_fail("out of memory"); }

const char *sb_library_version(void) { return "1"; }
