/* The canonical Binc encoder: no symbols, integers in the fewest bytes that hold them, doubles in eight
 * bytes. The only library of the format is not its own encoder, since it miswrites some integers. */
#include <serbench/writer.h>

/* The high four bits of a value's first byte, by their names in the library, and the low ones of special
 * values. */
enum {
    SPECIAL = 0x00,
    POSITIVE = 0x10,
    NEGATIVE = 0x20,
    FLOAT = 0x30,
    TEXT = 0x40,
    ARRAY = 0x60,
    MAP = 0x70,
    SMALL = 0x90
};
enum {
    NIL = SPECIAL,
    FALSE = SPECIAL | 1,
    TRUE = SPECIAL | 2,
    ZERO = SPECIAL | 7,
    MINUS_ONE = SPECIAL | 8,
    DOUBLE = FLOAT | 3
};

static bool put_bytes(sb_output *out, unsigned first, uint64_t bits, unsigned size) {
    unsigned char bytes[9] = {(unsigned char)first};
    for (unsigned i = 1; i <= size; i++) bytes[i] = (unsigned char)(bits >> (8 * (size - i)));
    return sb_output_append(out, bytes, 1 + size);
}

/* The number of bytes less one stands in the low bits. */
static bool put_magnitude(sb_output *out, unsigned kind, uint64_t number) {
    unsigned size = 1;
    while (size < 8 && number >> (8 * size) != 0) size++;
    return put_bytes(out, kind | (size - 1), number, size);
}

static bool put_positive(sb_output *out, uint64_t number) {
    if (number == 0) return put_bytes(out, ZERO, 0, 0);
    if (number <= 16) return put_bytes(out, SMALL | (unsigned)(number - 1), 0, 0);
    return put_magnitude(out, POSITIVE, number);
}

static bool put_negative(sb_output *out, int64_t number) {
    if (number == -1) return put_bytes(out, MINUS_ONE, 0, 0);
    return put_magnitude(out, NEGATIVE, -(uint64_t)number);
}

static bool put_length(sb_output *out, unsigned kind, uint32_t length) {
    if (length < 12) return put_bytes(out, kind | (length + 4), 0, 0);
    if (length <= UINT8_MAX) return put_bytes(out, kind, length, 1);
    if (length <= UINT16_MAX) return put_bytes(out, kind | 1, length, 2);
    return put_bytes(out, kind | 2, length, 4);
}

static bool put_text(sb_output *out, const char *bytes, uint32_t length) {
    return put_length(out, TEXT, length) && sb_output_append(out, bytes, length);
}

static bool put(sb_output *out, const sb_value *value) {
    uint64_t bits;
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return put_bytes(out, NIL, 0, 0);
        case SB_BOOL: return put_bytes(out, value->as.boolean ? TRUE : FALSE, 0, 0);
        case SB_I64: return put_negative(out, value->as.i64);
        case SB_U64: return put_positive(out, value->as.u64);
        case SB_F64: memcpy(&bits, &value->as.f64, sizeof bits); return put_bytes(out, DOUBLE, bits, 8);
        case SB_STR: return put_text(out, value->as.str, value->length);
        case SB_ARRAY:
            good = put_length(out, ARRAY, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(out, &value->as.items[i]);
            return good;
        default:
            good = put_length(out, MAP, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = put_text(out, member->key, member->key_length) && put(out, &member->value);
            }
            return good;
    }
}

bool sb_write(const sb_value *root, sb_output *out) { return put(out, root) || sb_fail("out of memory"); }

const char *sb_library_version(void) { return "1"; }
