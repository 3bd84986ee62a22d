#include <serbench/writer.h>

#if defined UNREADABLE
bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    return sb_output_append(out, "\xc1\xc1\xc1", 3); /* a byte that MessagePack never uses */
}
#elif defined EMPTY
bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    (void)out;
    return true;
}
#elif defined OTHER_DATA
bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    return sb_output_append(out, "\x93\x01\x02\x03", 4);
}
#else
static bool put(sb_output *out, unsigned tag, uint64_t x, int bytes) {
    unsigned char data[9] = {(unsigned char)tag};
    for (int i = 0; i < bytes; i++) data[1 + i] = (unsigned char)(x >> (8 * (bytes - 1 - i)));
    return sb_output_append(out, data, 1 + (size_t)bytes);
}

static bool put_str(sb_output *out, const char *bytes, uint32_t length) {
    return put(out, 0xdb, length, 4) && sb_output_append(out, bytes, length);
}

/* Which member of a map comes first. */
static uint32_t first;

static bool put_value(sb_output *out, const sb_value *value) {
    bool map = value->type == SB_MAP;
    switch ((sb_type)value->type) {
        case SB_NIL: return put(out, 0xc0, 0, 0);
        case SB_BOOL: return put(out, value->as.boolean ? 0xc3 : 0xc2, 0, 0);
        case SB_I64: return put(out, 0xd3, (uint64_t)value->as.i64, 8);
        case SB_U64:
        case SB_F64: return put(out, value->type == SB_F64 ? 0xcb : 0xcf, value->as.u64, 8);
        case SB_STR: return put_str(out, value->as.str, value->length);
        default: break;
    }
    if (!put(out, map ? 0xdf : 0xdd, value->length, 4)) return false;
    for (uint32_t n = 0; n < value->length; n++) {
        uint32_t i = map ? (n + first) % value->length : n;
        if (map && !put_str(out, value->as.members[i].key, value->as.members[i].key_length)) return false;
        if (!put_value(out, map ? &value->as.members[i].value : &value->as.items[i])) return false;
    }
    return true;
}

bool sb_write(const sb_value *root, sb_output *out) {
#ifdef OTHER_ORDER
    first++;
#endif
    return put_value(out, root);
}
#endif

const char *sb_library_version(void) { return "0"; }
