/* The canonical Ion encoder: binary Ion 1.0 with one local symbol table, which has the keys in the order of
 * their first occurrence, and doubles in eight bytes. It fills its buffer from the end, because a container's
 * length stands before its content. */
#include <serbench/writer.h>
#include <stdlib.h>
#include <string.h>

/* The high four bits of a value's first byte, by their names in the specification. */
enum { BOOL = 0x10, POSITIVE = 0x20, NEGATIVE = 0x30, FLOAT = 0x40, STRING = 0x80, LIST = 0xb0 };
enum { STRUCT = 0xd0, ANNOTATION = 0xe0, LENGTH_FOLLOWS = 14, NIL = 0x0f };
/* Ids of the system's symbols `$ion_symbol_table` and `symbols`, and the first that is free. */
enum { SYMBOL_TABLE = 3, SYMBOLS = 7, FIRST_LOCAL = 10 };

typedef struct symbol {
    const char *text;
    uint32_t length;
} symbol;

typedef struct encoder {
    unsigned char *bytes;
    size_t size, at; /* what is written lies from `at` to `size` */
    symbol *symbols;
    uint32_t count;
    uint32_t *slots; /* an open hash table: 1 + the index of a symbol, or 0 */
    uint32_t mask;
    bool failed;
} encoder;

/* The place of a key in the hash table, or where it would be. */
static uint32_t *slot_of(const encoder *e, symbol key) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < key.length; i++) hash = (hash ^ (unsigned char)key.text[i]) * 16777619u;
    for (;; hash++) {
        uint32_t *slot = &e->slots[hash & e->mask];
        if (*slot == 0) return slot;
        symbol known = e->symbols[*slot - 1];
        if (known.length == key.length && memcmp(known.text, key.text, key.length) == 0) return slot;
    }
}

static bool grow_symbols(encoder *e) {
    uint32_t places = e->mask ? 2 * (e->mask + 1) : 64;
    symbol *symbols = realloc(e->symbols, places / 2 * sizeof *symbols);
    if (!symbols) return false;
    e->symbols = symbols;
    free(e->slots);
    e->slots = calloc(places, sizeof *e->slots);
    if (!e->slots) return false;
    e->mask = places - 1;
    for (uint32_t i = 0; i < e->count; i++) *slot_of(e, e->symbols[i]) = i + 1;
    return true;
}

/* Collects the keys of all maps. */
static bool collect(encoder *e, const sb_value *value) {
    bool good = true;
    if (value->type == SB_ARRAY)
        for (uint32_t i = 0; i < value->length && good; i++) good = collect(e, &value->as.items[i]);
    if (value->type != SB_MAP) return good;
    for (uint32_t i = 0; i < value->length && good; i++) {
        const sb_member *member = &value->as.members[i];
        if (2 * e->count >= e->mask && !grow_symbols(e)) return false;
        symbol key = {member->key, member->key_length};
        uint32_t *slot = slot_of(e, key);
        if (*slot == 0) {
            e->symbols[e->count] = key;
            *slot = ++e->count;
        }
        good = collect(e, &member->value);
    }
    return good;
}

static void put_bytes(encoder *e, const void *bytes, size_t length) {
    if (e->failed) return;
    if (e->at < length) {
        size_t used = e->size - e->at, size = 2 * (used + length) + 4096;
        unsigned char *larger = malloc(size);
        if (!larger) {
            e->failed = true;
            return;
        }
        if (used) memcpy(larger + size - used, e->bytes + e->at, used);
        free(e->bytes);
        e->bytes = larger, e->size = size, e->at = size - used;
    }
    e->at -= length;
    if (length) memcpy(e->bytes + e->at, bytes, length);
}

static void put_byte(encoder *e, unsigned byte) { put_bytes(e, &(unsigned char){(unsigned char)byte}, 1); }

/* A VarUInt: seven bits in each byte, the last one marked. */
static void put_length(encoder *e, uint64_t number) {
    for (unsigned mark = 0x80;; mark = 0, number >>= 7) {
        put_byte(e, (unsigned)(number & 0x7f) | mark);
        if (number < 0x80) return;
    }
}

/* The head of a value whose content is all that has been written since `used` bytes were. */
static void put_head(encoder *e, unsigned type, size_t used) {
    size_t length = e->size - e->at - used;
    if (length < LENGTH_FOLLOWS) {
        put_byte(e, type | (unsigned)length);
    } else {
        put_length(e, length);
        put_byte(e, type | LENGTH_FOLLOWS);
    }
}

static void put_text(encoder *e, const char *text, uint32_t length) {
    size_t used = e->size - e->at;
    put_bytes(e, text, length);
    put_head(e, STRING, used);
}

/* An integer: its magnitude in as few bytes as hold it, none for 0. */
static void put_integer(encoder *e, unsigned type, uint64_t magnitude) {
    size_t used = e->size - e->at;
    for (; magnitude; magnitude >>= 8) put_byte(e, (unsigned)(magnitude & 0xff));
    put_head(e, type, used);
}

static void put_double(encoder *e, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    size_t used = e->size - e->at;
    for (unsigned i = 0; i < 8; i++, bits >>= 8) put_byte(e, (unsigned)(bits & 0xff));
    put_head(e, FLOAT, used);
}

static void put(encoder *e, const sb_value *value) {
    size_t used = e->size - e->at;
    switch ((sb_type)value->type) {
        case SB_NIL: put_byte(e, NIL); return;
        case SB_BOOL: put_byte(e, value->as.boolean ? BOOL | 1 : BOOL); return;
        case SB_I64: put_integer(e, NEGATIVE, 0 - (uint64_t)value->as.i64); return;
        case SB_U64: put_integer(e, POSITIVE, value->as.u64); return;
        case SB_F64: put_double(e, value->as.f64); return;
        case SB_STR: put_text(e, value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = value->length; i-- > 0;) put(e, &value->as.items[i]);
            put_head(e, LIST, used);
            return;
        default:
            for (uint32_t i = value->length; i-- > 0;) {
                const sb_member *member = &value->as.members[i];
                put(e, &member->value);
                put_length(e, FIRST_LOCAL - 1 + *slot_of(e, (symbol){member->key, member->key_length}));
            }
            put_head(e, STRUCT, used);
    }
}

/* $ion_symbol_table::{symbols: [...]} */
static void put_symbols(encoder *e) {
    size_t used = e->size - e->at;
    for (uint32_t i = e->count; i-- > 0;) put_text(e, e->symbols[i].text, e->symbols[i].length);
    put_head(e, LIST, used);
    put_length(e, SYMBOLS);
    put_head(e, STRUCT, used);
    put_length(e, SYMBOL_TABLE);
    put_length(e, 1); /* byte of annotations */
    put_head(e, ANNOTATION, used);
}

bool sb_write(const sb_value *root, sb_output *out) {
    static const unsigned char VERSION[] = {0xe0, 0x01, 0x00, 0xea};
    encoder e = {0};
    bool good = collect(&e, root);
    if (good) {
        put(&e, root);
        if (e.count) put_symbols(&e);
        put_bytes(&e, VERSION, sizeof VERSION);
        good = !e.failed;
    }
    if (good) sb_output_block(out, e.bytes + e.at, e.size - e.at);
    free(e.bytes);
    free(e.symbols);
    free(e.slots);
    return good || sb_fail("out of memory");
}

const char *sb_library_version(void) { return "1"; }
