#include <msgpuck.h>
#include <serbench/reader.h>

static bool element(const char **at, sb_hash *h) {
    uint32_t count;
    const char *bytes;
    switch (mp_typeof(**at)) {
        case MP_NIL: mp_decode_nil(at), sb_hash_nil(h); return true;
        case MP_BOOL: sb_hash_bool(h, mp_decode_bool(at)); return true;
        case MP_UINT: sb_hash_u64(h, mp_decode_uint(at)); return true;
        case MP_INT: sb_hash_i64(h, mp_decode_int(at)); return true;
        case MP_FLOAT: sb_hash_f64(h, (double)mp_decode_float(at)); return true;
        case MP_DOUBLE: sb_hash_f64(h, mp_decode_double(at)); return true;
        case MP_STR:
            bytes = mp_decode_str(at, &count);
            sb_hash_str(h, bytes, count);
            return true;
        case MP_ARRAY:
            count = mp_decode_array(at);
            for (uint32_t i = 0; i < count; i++)
                if (!element(at, h)) return false;
            sb_hash_count(h, count);
            return true;
        case MP_MAP:
            count = mp_decode_map(at);
            for (uint32_t i = 0; i < count; i++)
                if (!element(at, h) || !element(at, h)) return false;
            sb_hash_count(h, count);
            return true;
        default: return sb_fail("unexpected type %d", (int)mp_typeof(**at));
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    const char *at = data, *end = data;
    if (size == 0 || mp_check(&end, data + size) != 0) return sb_fail("mp_check refused it");
    if (end != data + size) return sb_fail("more than one item");
    return element(&at, h);
}

const char *sb_library_version(void) { return ""; }
