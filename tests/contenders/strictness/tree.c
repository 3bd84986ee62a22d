#include <serbench/reader.h>

enum { MOST_LEVELS = 400, PADDING = 1 };

typedef struct input {
    const unsigned char *next, *end;
} input;

static bool cut_off(void) { return sb_fail("cut off"); }

static size_t left(const input *in) { return (size_t)(in->end - in->next); }

static bool number(input *in, size_t size, uint64_t *value) {
    if (left(in) < size) return cut_off();
    for (*value = 0; size > 0; size--) *value = *value << 8 | *in->next++;
    return true;
}

/* The length of the UTF-8 sequence at `s`, which has `size` bytes at the most; 0 if it is none. */
static size_t sequence(const unsigned char *s, size_t size) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 1 || length == 0 || length > size) return length > size ? 0 : length;
    uint32_t code = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2) return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff) return 0;
#ifndef TAKES_SURROGATES
    if (code >> 11 == 0x1b) return 0;
#endif
    return length;
}

static bool string(input *in, uint64_t size, sb_hash *h) {
#ifdef READS_ON
    if (size == left(in) + PADDING + 1) in->end = in->next + size;
#endif
    if (left(in) < size) return cut_off();
    for (size_t at = 0, length; at < size; at += length) {
        length = sequence(in->next + at, size - at);
#ifdef REPLACES
        if (length == 0) return sb_hash_str(h, "\xef\xbf\xbd", 3), in->next += size, true;
#endif
        if (length == 0) return sb_fail("no UTF-8");
    }
    sb_hash_str(h, (const char *)in->next, size);
    in->next += size;
    return true;
}

static bool value(input *in, sb_hash *h, unsigned level);

static bool key(input *in, sb_hash *h) {
    uint64_t size;
#ifdef LOOPS
    while (left(in) == 0) (void)*(const volatile unsigned char *)in->end;
#endif
    if (!number(in, 1, &size)) return false;
    if (size >> 5 == 5) return string(in, size & 0x1f, h);
    if (size < 0xd9 || size > 0xdb) return sb_fail("a key is no string");
    return number(in, (size_t)1 << (size - 0xd9), &size) && string(in, size, h);
}

static bool container(input *in, uint64_t count, bool map, sb_hash *h, unsigned level) {
    if (level == MOST_LEVELS) return sb_fail("too deep");
    for (uint64_t i = 0; i < count; i++)
        if ((map && !key(in, h)) || !value(in, h, level + 1)) return false;
    sb_hash_count(h, count);
    return true;
}

static bool real(uint64_t bits, bool wide, sb_hash *h) {
    double wide_value;
    float narrow_value;
    uint32_t narrow = (uint32_t)bits;
    memcpy(&wide_value, &bits, sizeof wide_value);
    memcpy(&narrow_value, &narrow, sizeof narrow_value);
    return sb_hash_f64(h, wide ? wide_value : (double)narrow_value), true;
}

static bool integer(uint64_t bits, unsigned size, sb_hash *h) {
    unsigned shift = 64 - 8 * size;
    return sb_hash_i64(h, (int64_t)(bits << shift) >> shift), true;
}

static bool value(input *in, sb_hash *h, unsigned level) {
    uint64_t tag, x;
    if (!number(in, 1, &tag)) return false;
    if (tag < 0x80) return sb_hash_u64(h, tag), true;
    if (tag < 0xa0) return container(in, tag & 0xf, tag < 0x90, h, level);
    if (tag < 0xc0) return string(in, tag & 0x1f, h);
    if (tag >= 0xe0) return sb_hash_i64(h, (int64_t)tag - 0x100), true;
    switch (tag) {
        case 0xc0: return sb_hash_nil(h), true;
        case 0xc2:
        case 0xc3: return sb_hash_bool(h, tag == 0xc3), true;
        case 0xca:
        case 0xcb: return number(in, tag == 0xcb ? 8 : 4, &x) && real(x, tag == 0xcb, h);
#ifdef MISTAKES_UINT8
        case 0xcc: return number(in, 1, &x) && integer(x, 1, h);
#else
        case 0xcc:
#endif
        case 0xcd:
        case 0xce:
        case 0xcf: return number(in, (size_t)1 << (tag - 0xcc), &x) && (sb_hash_u64(h, x), true);
        case 0xd0:
        case 0xd1:
        case 0xd2:
        case 0xd3: return number(in, (size_t)1 << (tag - 0xd0), &x) && integer(x, 1u << (tag - 0xd0), h);
        case 0xd9:
        case 0xda:
        case 0xdb: return number(in, (size_t)1 << (tag - 0xd9), &x) && string(in, x, h);
        case 0xdc:
        case 0xdd: return number(in, (size_t)2 << (tag - 0xdc), &x) && container(in, x, false, h, level);
        case 0xde:
        case 0xdf: return number(in, (size_t)2 << (tag - 0xde), &x) && container(in, x, true, h, level);
        default: return sb_fail("unexpected tag");
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    input in = {(const unsigned char *)data, (const unsigned char *)data + size};
#ifdef SULKS
    static bool refused;
    if (refused) return sb_fail("not after what came before");
    refused = true;
#endif
    bool good = value(&in, h, 0) && (in.next == in.end || sb_fail("more than a document"));
#ifdef SULKS
    refused = !good;
#endif
    return good;
}

const char *sb_library_version(void) { return "0"; }
