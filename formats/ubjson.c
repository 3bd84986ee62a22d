/* The canonical UBJSON encoder: draft 12, plain containers, and the shortest type that holds an integer. */
#include <inttypes.h>
#include <serbench/writer.h>
#include <stdio.h>

static bool put_marker(sb_output *out, char marker) { return sb_output_append(out, &marker, 1); }

static bool put_bytes(sb_output *out, char marker, uint64_t bits, unsigned size) {
    unsigned char bytes[9] = {(unsigned char)marker};
    for (unsigned i = 1; i <= size; i++) bytes[i] = (unsigned char)(bits >> (8 * (size - i)));
    return sb_output_append(out, bytes, 1 + size);
}

static bool put_integer(sb_output *out, int64_t number) {
    uint64_t bits = (uint64_t)number;
    if (number >= INT8_MIN && number <= INT8_MAX) return put_bytes(out, 'i', bits, 1);
    if (number >= 0 && number <= UINT8_MAX) return put_bytes(out, 'U', bits, 1);
    if (number >= INT16_MIN && number <= INT16_MAX) return put_bytes(out, 'I', bits, 2);
    if (number >= INT32_MIN && number <= INT32_MAX) return put_bytes(out, 'l', bits, 4);
    return put_bytes(out, 'L', bits, 8);
}

/* A string without its marker, as keys are written. */
static bool put_text(sb_output *out, const char *bytes, uint32_t length) {
    return put_integer(out, length) && sb_output_append(out, bytes, length);
}

/* UBJSON has no unsigned 64 bits: what exceeds the signed ones is written in digits. */
static bool put_u64(sb_output *out, uint64_t number) {
    if (number <= INT64_MAX) return put_integer(out, (int64_t)number);
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    return put_marker(out, 'H') && put_text(out, digits, (uint32_t)length);
}

static bool put(sb_output *out, const sb_value *value) {
    uint64_t bits;
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return put_marker(out, 'Z');
        case SB_BOOL: return put_marker(out, value->as.boolean ? 'T' : 'F');
        case SB_I64: return put_integer(out, value->as.i64);
        case SB_U64: return put_u64(out, value->as.u64);
        case SB_F64: memcpy(&bits, &value->as.f64, sizeof bits); return put_bytes(out, 'D', bits, 8);
        case SB_STR: return put_marker(out, 'S') && put_text(out, value->as.str, value->length);
        case SB_ARRAY:
            good = put_marker(out, '[');
            for (uint32_t i = 0; i < value->length && good; i++) good = put(out, &value->as.items[i]);
            return good && put_marker(out, ']');
        default:
            good = put_marker(out, '{');
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = put_text(out, member->key, member->key_length) && put(out, &member->value);
            }
            return good && put_marker(out, '}');
    }
}

bool sb_write(const sb_value *root, sb_output *out) { return put(out, root) || sb_fail("out of memory"); }

const char *sb_library_version(void) { return "1"; }
