/* The canonical UBJSON encoder: draft 12, and the shortest type that holds an integer's absolute value, as
 * ubj has it, so that -128 takes two bytes and the sizes of the 2016 suite come out.
 *
 * Containers are plain, up to an end marker. With OPTIMIZED they begin with their count, and before it with
 * their type where two values or more all have the same; such values are written without markers. */
#include <inttypes.h>
#include <serbench/writer.h>
#include <stdio.h>

static bool put_marker(sb_output *out, char marker) { return sb_output_append(out, &marker, 1); }

static bool put_bits(sb_output *out, uint64_t bits, unsigned size) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> (8 * (size - 1 - i)));
    return sb_output_append(out, bytes, size);
}

static char integer_type(int64_t number) {
    if (number > INT8_MIN && number <= INT8_MAX) return 'i';
    if (number >= 0 && number <= UINT8_MAX) return 'U';
    if (number > INT16_MIN && number <= INT16_MAX) return 'I';
    return number > INT32_MIN && number <= INT32_MAX ? 'l' : 'L';
}

static bool put_integer(sb_output *out, char type, int64_t number) {
    switch (type) {
        case 'i':
        case 'U': return put_bits(out, (uint64_t)number, 1);
        case 'I': return put_bits(out, (uint64_t)number, 2);
        case 'l': return put_bits(out, (uint64_t)number, 4);
        default: return put_bits(out, (uint64_t)number, 8);
    }
}

static bool put_length(sb_output *out, uint32_t length) {
    return put_marker(out, integer_type(length)) && put_integer(out, integer_type(length), length);
}

/* A string without its marker, as keys are written. */
static bool put_text(sb_output *out, const char *bytes, uint32_t length) {
    return put_length(out, length) && sb_output_append(out, bytes, length);
}

/* UBJSON has no unsigned 64 bits: what exceeds the signed ones is written in digits. */
static bool put_digits(sb_output *out, uint64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    return put_text(out, digits, (uint32_t)length);
}

static char type_of(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return 'Z';
        case SB_BOOL: return value->as.boolean ? 'T' : 'F';
        case SB_I64: return integer_type(value->as.i64);
        case SB_U64: return value->as.u64 <= INT64_MAX ? integer_type((int64_t)value->as.u64) : 'H';
        case SB_F64: return 'D';
        case SB_STR: return 'S';
        case SB_ARRAY: return '[';
        default: return '{';
    }
}

static const sb_value *element(const sb_value *container, uint32_t i) {
    return container->type == SB_MAP ? &container->as.members[i].value : &container->as.items[i];
}

/* The type that all values of a container share, or 0. */
static char common_type(const sb_value *container) {
#ifdef OPTIMIZED
    if (container->length < 2) return 0;
    const char type = type_of(element(container, 0));
    for (uint32_t i = 1; i < container->length; i++)
        if (type_of(element(container, i)) != type) return 0;
    return type;
#else
    (void)container;
    return 0;
#endif
}

static bool put_body(sb_output *out, char type, const sb_value *value);

static bool put_container(sb_output *out, const sb_value *container, char end) {
    const char common = common_type(container);
#ifdef OPTIMIZED
    const bool counted = container->length > 0;
#else
    const bool counted = false;
#endif
    if (common != 0 && (!put_marker(out, '$') || !put_marker(out, common))) return false;
    if (counted && (!put_marker(out, '#') || !put_length(out, container->length))) return false;
    for (uint32_t i = 0; i < container->length; i++) {
        const sb_member *member = container->type == SB_MAP ? &container->as.members[i] : NULL;
        const sb_value *value = element(container, i);
        if (member != NULL && !put_text(out, member->key, member->key_length)) return false;
        if (common == 0 && !put_marker(out, type_of(value))) return false;
        if (!put_body(out, type_of(value), value)) return false;
    }
    return counted || put_marker(out, end);
}

/* What follows a value's marker. */
static bool put_body(sb_output *out, char type, const sb_value *value) {
    uint64_t bits;
    switch (type) {
        case 'Z':
        case 'T':
        case 'F': return true;
        case 'D': memcpy(&bits, &value->as.f64, sizeof bits); return put_bits(out, bits, 8);
        case 'S': return put_text(out, value->as.str, value->length);
        case 'H': return put_digits(out, value->as.u64);
        case '[': return put_container(out, value, ']');
        case '{': return put_container(out, value, '}');
        default:
            return put_integer(out, type, value->type == SB_I64 ? value->as.i64 : (int64_t)value->as.u64);
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    return (put_marker(out, type_of(root)) && put_body(out, type_of(root), root)) || sb_fail("out of memory");
}

const char *sb_library_version(void) { return "1"; }
