#include "words.h"

#include "message_file.h"

enum { WORD = 4 };

static void put(FILE *file, uint32_t word) {
    for (int i = 0; i < WORD; i++) (void)putc((int)(word >> (8 * i) & 0xff), file);
}

static void put_words(FILE *file, uint64_t x) {
    put(file, (uint32_t)(x >> 32));
    put(file, (uint32_t)x);
}

static void put_str(FILE *file, const char *bytes, uint32_t length) {
    put(file, length);
    if (length > 0) (void)fwrite(bytes, 1, length, file);
    for (uint32_t i = length; i % WORD != 0; i++) (void)putc(0, file);
}

/* Whether a double counts as an integer is asked of the hash, and not decided a second time. */
static void put_f64(FILE *file, double value) {
    sb_hash found = sb_hash_start(true), as_bits = found;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sb_hash_f64(&found, value);
    sb_hash_words(&as_bits, bits);
    put_words(file, found.state == as_bits.state ? bits : (uint64_t)(int64_t)value);
}

static void put_value(FILE *file, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL:
            put(file, 0);
            put_str(file, "nil", 3);
            return;
        case SB_BOOL: put(file, value->as.boolean ? 1 : 0); return;
        case SB_I64: put_words(file, (uint64_t)value->as.i64); return;
        case SB_U64: put_words(file, value->as.u64); return;
        case SB_F64: put_f64(file, value->as.f64); return;
        case SB_STR: put_str(file, value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) put_value(file, &value->as.items[i]);
            put(file, value->length);
            return;
        case SB_MAP:
            for (uint32_t i = 0; i < value->length; i++) {
                put_str(file, value->as.members[i].key, value->as.members[i].key_length);
                put_value(file, &value->as.members[i].value);
            }
            put(file, value->length);
            return;
    }
}

void sb_write_words(FILE *file, const sb_value *root, bool messages) {
    if (!messages) {
        put_value(file, root);
        return;
    }
    sb_messages_begin(file, root->length);
    for (uint32_t i = 0; i < root->length; i++) {
        long start = ftell(file);
        put_value(file, &root->as.items[i]);
        sb_message_size(file, i, (size_t)(ftell(file) - start));
    }
}
