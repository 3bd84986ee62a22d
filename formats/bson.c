/* The canonical BSON encoder: int32 for an integer that fits it, else int64. An array, at the root too, is a
 * document whose keys are the indexes. */
#include <inttypes.h>
#include <serbench/writer.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DOUBLE = 0x01,
    STRING = 0x02,
    DOCUMENT = 0x03,
    ARRAY = 0x04,
    BOOL = 0x08,
    NIL = 0x0a,
    INT32 = 0x10,
    INT64 = 0x12
};

/* A document begins with its size, which is known at its end: so all of it stands here first. */
typedef struct buffer {
    unsigned char *data;
    size_t size, capacity;
} buffer;

static bool put_bytes(buffer *to, const void *bytes, size_t size) {
    if (size > to->capacity - to->size) {
        size_t capacity = 2 * (to->size + size);
        unsigned char *data = realloc(to->data, capacity);
        if (data == NULL) return sb_fail("out of memory");
        to->data = data;
        to->capacity = capacity;
    }
    memcpy(to->data + to->size, bytes, size);
    to->size += size;
    return true;
}

static void set_bits(unsigned char *bytes, uint64_t bits, unsigned size) {
    for (unsigned i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> (8 * i));
}

static bool put_bits(buffer *to, uint64_t bits, unsigned size) {
    unsigned char bytes[8];
    set_bits(bytes, bits, size);
    return put_bytes(to, bytes, size);
}

static bool fits_int32(const sb_value *value) {
    return value->type == SB_I64 ? value->as.i64 >= INT32_MIN : value->as.u64 <= INT32_MAX;
}

static unsigned type_of(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return NIL;
        case SB_BOOL: return BOOL;
        case SB_F64: return DOUBLE;
        case SB_STR: return STRING;
        case SB_ARRAY: return ARRAY;
        case SB_MAP: return DOCUMENT;
        default: return fits_int32(value) ? INT32 : INT64;
    }
}

static bool put_document(buffer *to, const sb_value *container);

/* What follows a value's type and key. */
static bool put_body(buffer *to, const sb_value *value) {
    uint64_t bits;
    switch ((sb_type)value->type) {
        case SB_NIL: return true;
        case SB_BOOL: return put_bits(to, value->as.boolean, 1);
        case SB_I64: return put_bits(to, (uint64_t)value->as.i64, fits_int32(value) ? 4 : 8);
        case SB_U64:
            if (value->as.u64 > INT64_MAX) return sb_fail("an integer above 2^63 - 1");
            return put_bits(to, value->as.u64, fits_int32(value) ? 4 : 8);
        case SB_F64: memcpy(&bits, &value->as.f64, sizeof bits); return put_bits(to, bits, 8);
        case SB_STR: /* with the NUL that follows every string of the tree */
            return put_bits(to, (uint64_t)value->length + 1, 4) &&
                   put_bytes(to, value->as.str, (size_t)value->length + 1);
        default: return put_document(to, value);
    }
}

static bool put_element(buffer *to, const char *key, size_t length, const sb_value *value) {
    if (memchr(key, '\0', length) != NULL) return sb_fail("a NUL in a key");
    return put_bits(to, type_of(value), 1) && put_bytes(to, key, length + 1) && put_body(to, value);
}

static bool put_document(buffer *to, const sb_value *container) {
    const size_t start = to->size;
    bool good = put_bits(to, 0, 4);
    for (uint32_t i = 0; i < container->length && good; i++) {
        if (container->type == SB_ARRAY) {
            char key[11];
            int length = snprintf(key, sizeof key, "%" PRIu32, i);
            good = put_element(to, key, (size_t)length, &container->as.items[i]);
        } else {
            const sb_member *member = &container->as.members[i];
            good = put_element(to, member->key, member->key_length, &member->value);
        }
    }
    if (!good || !put_bits(to, 0, 1)) return false;
    if (to->size - start > INT32_MAX) return sb_fail("a document above 2 GiB");
    set_bits(to->data + start, to->size - start, 4);
    return true;
}

bool sb_write(const sb_value *root, sb_output *out) {
    buffer whole = {NULL, 0, 0};
    bool good = put_document(&whole, root);
    if (good) sb_output_block(out, whole.data, whole.size);
    free(whole.data);
    return good;
}

const char *sb_library_version(void) { return "1"; }
