#include "serbench/hash.h"

#include "seen.h"
#include "serbench/value.h"

static void put(sb_seen *seen, uint64_t word, int bytes) {
    for (int i = 0; i < bytes; i++) (void)fputc((int)(word >> (8 * i) & 0xff), seen->file);
}

void sb_see_value(sb_seen *seen, char tag, uint64_t word) {
    (void)fputc(tag, seen->file);
    put(seen, word, tag == 'i' || tag == 'u' || tag == 'd' ? 8 : tag == 'e' ? 4 : 0);
}

void sb_see_string(sb_seen *seen, const char *bytes, size_t length) {
    (void)fputc('s', seen->file);
    put(seen, length, 4);
    if (length > 0) (void)fwrite(bytes, 1, length, seen->file);
}

void sb_hash_value(sb_hash *h, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: sb_hash_nil(h); return;
        case SB_BOOL: sb_hash_bool(h, value->as.boolean); return;
        case SB_I64: sb_hash_i64(h, value->as.i64); return;
        case SB_U64: sb_hash_u64(h, value->as.u64); return;
        case SB_F64: sb_hash_f64(h, value->as.f64); return;
        case SB_STR: sb_hash_str(h, value->as.str, value->length); return;
        case SB_ARRAY:
            for (uint32_t i = 0; i < value->length; i++) sb_hash_value(h, &value->as.items[i]);
            sb_hash_count(h, value->length);
            return;
        case SB_MAP:
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                sb_hash_str(h, member->key, member->key_length);
                sb_hash_value(h, &member->value);
            }
            sb_hash_count(h, value->length);
            return;
    }
}

void sb_hash_unordered(sb_hash *h, const sb_value *value) {
    if (value->type == SB_ARRAY) {
        for (uint32_t i = 0; i < value->length; i++) sb_hash_unordered(h, &value->as.items[i]);
        sb_hash_count(h, value->length);
    } else if (value->type == SB_MAP) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < value->length; i++) {
            const sb_member *member = &value->as.members[i];
            sb_hash entry = sb_hash_entry(h);
            sb_hash_str(&entry, member->key, member->key_length);
            sb_hash_unordered(&entry, &member->value);
            sum += entry.state;
        }
        sb_hash_entries(h, sum, value->length);
    } else {
        sb_hash_value(h, value);
    }
}
