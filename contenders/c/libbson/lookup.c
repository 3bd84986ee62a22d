#include <bson/bson.h>
#include <serbench/lookup.h>

/* Arrays are documents whose keys are the indexes. */
static bool take_step(bson_iter_t *iter, const sb_value *step) {
    char text[16];
    const char *key = step->as.str;
    int length = (int)step->length;
    if (step->type == SB_U64) {
        if (step->as.u64 > UINT32_MAX) return false;
        length = (int)bson_uint32_to_string((uint32_t)step->as.u64, &key, text, sizeof text);
    }
    return bson_iter_find_w_len(iter, key, length);
}

static bool follow(bson_iter_t *iter, const sb_path *path) {
    for (uint32_t i = 0; i < path->length; i++) {
        bson_iter_t child;
        if (i > 0) {
            if (!bson_iter_recurse(iter, &child)) return false;
            *iter = child;
        }
        if (!take_step(iter, &path->steps[i])) return false;
    }
    return path->length > 0;
}

static bool hash_scalar(const bson_iter_t *iter, sb_hash *h) {
    uint32_t length;
    const char *bytes;
    switch (bson_iter_type(iter)) {
        case BSON_TYPE_NULL: sb_hash_nil(h); return true;
        case BSON_TYPE_BOOL: sb_hash_bool(h, bson_iter_bool(iter)); return true;
        case BSON_TYPE_INT32: sb_hash_i64(h, bson_iter_int32(iter)); return true;
        case BSON_TYPE_INT64: sb_hash_i64(h, bson_iter_int64(iter)); return true;
        case BSON_TYPE_DOUBLE: sb_hash_f64(h, bson_iter_double(iter)); return true;
        case BSON_TYPE_UTF8:
            bytes = bson_iter_utf8(iter, &length);
            sb_hash_str(h, bytes, length);
            return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    bson_t document;
    bson_iter_t iter;
    if (!bson_init_static(&document, (const uint8_t *)data, size)) return sb_fail("not a BSON document");
    for (size_t i = 0; i < count; i++) {
        if (!bson_iter_init(&iter, &document)) return sb_fail("not a BSON document");
        if (!follow(&iter, &paths[i]) || !hash_scalar(&iter, h)) return sb_missing(&paths[i]);
    }
    return true;
}

const char *sb_library_version(void) { return bson_get_version(); }
