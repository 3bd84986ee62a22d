#include <cbor.h>
#include <serbench/reader.h>

/* How libcbor counts elements and bytes to its callbacks: to a processor of 32 bits these differ. */
#if CBOR_MAJOR_VERSION > 0 || CBOR_MINOR_VERSION >= 9
typedef uint64_t cbor_count;
#else
typedef size_t cbor_count;
#endif

/* libcbor reports item by item, and leaves to its caller which container an item belongs to. */
typedef struct frame {
    uint64_t left; /* items to come; a map has two for each entry */
    uint32_t count;
} frame;

typedef struct state {
    sb_hash *h;
    bool failed;
    unsigned depth;
    frame frames[1026]; /* the first one holds the root */
} state;

/* One item is complete, and with it perhaps the containers that it ends. */
static void complete(state *s) {
    while (--s->frames[s->depth].left == 0 && s->depth > 0) sb_hash_count(s->h, s->frames[s->depth--].count);
}

static void start(state *s, cbor_count count, unsigned items_each) {
    if (s->depth + 1 == sizeof s->frames / sizeof s->frames[0]) {
        s->failed = !sb_fail("nested too deep");
    } else if (count == 0) {
        sb_hash_count(s->h, 0);
        complete(s);
    } else {
        s->frames[++s->depth] = (frame){.left = (uint64_t)count * items_each, .count = (uint32_t)count};
    }
}

static void on_unsigned(state *s, uint64_t number) { sb_hash_u64(s->h, number), complete(s); }
static void on_negative(state *s, uint64_t number) {
    if (number > INT64_MAX) s->failed = !sb_fail("an integer below -2^63");
    sb_hash_i64(s->h, (int64_t)~number);
    complete(s);
}

static void on_uint8(void *s, uint8_t number) { on_unsigned(s, number); }
static void on_uint16(void *s, uint16_t number) { on_unsigned(s, number); }
static void on_uint32(void *s, uint32_t number) { on_unsigned(s, number); }
static void on_uint64(void *s, uint64_t number) { on_unsigned(s, number); }
static void on_negint8(void *s, uint8_t number) { on_negative(s, number); }
static void on_negint16(void *s, uint16_t number) { on_negative(s, number); }
static void on_negint32(void *s, uint32_t number) { on_negative(s, number); }
static void on_negint64(void *s, uint64_t number) { on_negative(s, number); }
static void on_null(void *s) { sb_hash_nil(((state *)s)->h), complete(s); }
static void on_bool(void *s, bool value) { sb_hash_bool(((state *)s)->h, value), complete(s); }
static void on_float(void *s, float number) { sb_hash_f64(((state *)s)->h, (double)number), complete(s); }
static void on_double(void *s, double number) { sb_hash_f64(((state *)s)->h, number), complete(s); }
static void on_array(void *s, cbor_count count) { start(s, count, 1); }
static void on_map(void *s, cbor_count count) { start(s, count, 2); }

static void on_string(void *s, cbor_data bytes, cbor_count length) {
    sb_hash_str(((state *)s)->h, (const char *)bytes, (size_t)length);
    complete(s);
}

static void refuse(void *s) { ((state *)s)->failed = !sb_fail("an item that the datasets do not have"); }
static void refuse_bytes(void *s, cbor_data bytes, cbor_count length) {
    (void)bytes, (void)length, refuse(s);
}
static void refuse_tag(void *s, uint64_t tag) { (void)tag, refuse(s); }

static const struct cbor_callbacks callbacks = {
    .uint8 = on_uint8,
    .uint16 = on_uint16,
    .uint32 = on_uint32,
    .uint64 = on_uint64,
    .negint8 = on_negint8,
    .negint16 = on_negint16,
    .negint32 = on_negint32,
    .negint64 = on_negint64,
    .byte_string = refuse_bytes,
    .byte_string_start = refuse,
    .string = on_string,
    .string_start = refuse,
    .array_start = on_array,
    .indef_array_start = refuse,
    .map_start = on_map,
    .indef_map_start = refuse,
    .tag = refuse_tag,
    .float2 = on_float,
    .float4 = on_float,
    .float8 = on_double,
    .undefined = refuse,
    .null = on_null,
    .boolean = on_bool,
    .indef_break = refuse,
};

bool sb_read(char *data, size_t size, sb_hash *h) {
    state s = {.h = h};
    size_t offset = 0;
    s.frames[0].left = 1;
    while (s.frames[0].left > 0 && !s.failed) {
        struct cbor_decoder_result result =
            cbor_stream_decode((cbor_data)data + offset, size - offset, &callbacks, &s);
        if (result.status != CBOR_DECODER_FINISHED)
            return sb_fail("cbor_decoder_status %d at byte %zu", (int)result.status, offset);
        offset += result.read;
    }
    if (s.failed) return false;
    return offset == size || sb_fail("more than one item");
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CBOR_MAJOR_VERSION, CBOR_MINOR_VERSION, CBOR_PATCH_VERSION);
}
