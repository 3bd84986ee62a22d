/* The canonical Smile encoder: names of keys are shared, values are not; integers in their shortest form. */
#include <serbench/writer.h>

enum {
    EMPTY = 0x20,
    NIL = 0x21,
    FALSE = 0x22,
    TRUE = 0x23,
    INT32 = 0x24,
    INT64 = 0x25,
    BIG = 0x26,
    DOUBLE = 0x29
};
enum { SMALL = 0xc0, ASCII = 0x40, OTHER = 0x80, LONG_ASCII = 0xe0, LONG_OTHER = 0xe4, END = 0xfc };
enum { NAME_LONG_REF = 0x30, NAME_LONG = 0x34, NAME_REF = 0x40, NAME_ASCII = 0x80, NAME_OTHER = 0xc0 };
enum { ARRAY = 0xf8, ARRAY_END = 0xf9, OBJECT = 0xfa, OBJECT_END = 0xfb };

enum { SHORT = 64, SHORT_OTHER = 56, MOST_NAMES = 1024, SLOTS = 4096 };

typedef struct name {
    const char *bytes;
    uint32_t length;
} name;

/* The names that may be referred to; all are forgotten when there is no room for another one. */
typedef struct encoder {
    sb_output *out;
    unsigned count;
    name names[MOST_NAMES];
    uint16_t slots[SLOTS]; /* a name's number and one more, at the hash of its bytes or after that; else 0 */
} encoder;

static bool put_bytes(encoder *to, const void *bytes, size_t size) {
    return sb_output_append(to->out, bytes, size);
}

static bool put_byte(encoder *to, unsigned byte) {
    const unsigned char one = (unsigned char)byte;
    return put_bytes(to, &one, 1);
}

static bool put_sevens(encoder *to, uint64_t bits, unsigned bytes) {
    bool good = true;
    while (good && bytes-- > 0) good = put_byte(to, (bits >> (7 * bytes)) & 0x7f);
    return good;
}

/* Seven bits in a byte, but six in the last one, which has the highest bit. */
static bool put_number(encoder *to, uint64_t number) {
    unsigned more = 0;
    for (uint64_t rest = number >> 6; rest != 0; rest >>= 7) more++;
    return put_sevens(to, number >> 6, more) && put_byte(to, 0x80 | (number & 0x3f));
}

static bool put_integer(encoder *to, int64_t number) {
    const uint64_t zigzag = ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0);
    if (zigzag < 32) return put_byte(to, SMALL | (unsigned)zigzag);
    return put_byte(to, zigzag <= UINT32_MAX ? INT32 : INT64) && put_number(to, zigzag);
}

/* Above 2^63 - 1 it is nine bytes, the first of them 0, of which the last two stand by themselves. */
static bool put_unsigned(encoder *to, uint64_t number) {
    if (number <= INT64_MAX) return put_integer(to, (int64_t)number);
    const unsigned low = number & 0xffff;
    return put_byte(to, BIG) && put_number(to, 9) && put_sevens(to, number >> 16, 8) &&
           put_sevens(to, low >> 2, 2) && put_byte(to, low & 3);
}

static bool is_ascii(const char *bytes, uint32_t length) {
    uint32_t i = 0;
    while (i < length && !((unsigned char)bytes[i] & 0x80)) i++;
    return i == length;
}

static bool put_text(encoder *to, const char *bytes, uint32_t length) {
    const bool ascii = is_ascii(bytes, length);
    if (length == 0) return put_byte(to, EMPTY);
    if (length > SHORT)
        return put_byte(to, ascii ? LONG_ASCII : LONG_OTHER) && put_bytes(to, bytes, length) &&
               put_byte(to, END);
    return put_byte(to, ascii ? ASCII + length - 1 : OTHER + length - 2) && put_bytes(to, bytes, length);
}

/* The slot of a name, or the free one where it belongs. */
static uint16_t *slot_of(encoder *to, const char *bytes, uint32_t length) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    for (;; hash++) {
        uint16_t *slot = &to->slots[hash % SLOTS];
        const name *known = *slot ? &to->names[*slot - 1] : NULL;
        if (known == NULL || (known->length == length && memcmp(known->bytes, bytes, length) == 0))
            return slot;
    }
}

static bool put_reference(encoder *to, unsigned number) {
    if (number < SHORT) return put_byte(to, NAME_REF | number);
    return put_byte(to, NAME_LONG_REF | number >> 8) && put_byte(to, number & 0xff);
}

static void remember(encoder *to, uint16_t *slot, const char *bytes, uint32_t length) {
    if (to->count == MOST_NAMES) {
        to->count = 0;
        memset(to->slots, 0, sizeof to->slots);
        slot = slot_of(to, bytes, length);
    }
    to->names[to->count] = (name){bytes, length};
    if ((to->count & 0xff) < 0xfe)
        *slot = (uint16_t)(to->count + 1); /* a reference has no byte 0xfe or 0xff */
    to->count++;
}

static bool put_name(encoder *to, const char *bytes, uint32_t length) {
    const bool ascii = is_ascii(bytes, length);
    if (length == 0) return put_byte(to, EMPTY);
    if (length <= SHORT) { /* a longer one is not shared */
        uint16_t *slot = slot_of(to, bytes, length);
        if (*slot) return put_reference(to, *slot - 1u);
        remember(to, slot, bytes, length);
    }
    if (length <= (ascii ? SHORT : SHORT_OTHER))
        return put_byte(to, ascii ? NAME_ASCII + length - 1 : NAME_OTHER + length - 2) &&
               put_bytes(to, bytes, length);
    return put_byte(to, NAME_LONG) && put_bytes(to, bytes, length) && put_byte(to, END);
}

static bool put(encoder *to, const sb_value *value) {
    uint64_t bits;
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return put_byte(to, NIL);
        case SB_BOOL: return put_byte(to, value->as.boolean ? TRUE : FALSE);
        case SB_I64: return put_integer(to, value->as.i64);
        case SB_U64: return put_unsigned(to, value->as.u64);
        case SB_F64:
            memcpy(&bits, &value->as.f64, sizeof bits);
            return put_byte(to, DOUBLE) && put_sevens(to, bits, 10);
        case SB_STR: return put_text(to, value->as.str, value->length);
        case SB_ARRAY:
            good = put_byte(to, ARRAY);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(to, &value->as.items[i]);
            return good && put_byte(to, ARRAY_END);
        default:
            good = put_byte(to, OBJECT);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = put_name(to, member->key, member->key_length) && put(to, &member->value);
            }
            return good && put_byte(to, OBJECT_END);
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    encoder to = {.out = out};
    return (put_bytes(&to, ":)\n\x01", 4) && put(&to, root)) || sb_fail("out of memory");
}

const char *sb_library_version(void) { return "1"; }
