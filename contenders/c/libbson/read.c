#include <bson/bson.h>
#include <serbench/reader.h>

static bool walk(bson_iter_t *iter, bool array, sb_hash *h);

static bool element(const bson_iter_t *iter, sb_hash *h) {
    uint32_t length;
    const char *bytes;
    bson_iter_t child;
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
        case BSON_TYPE_ARRAY:
            return bson_iter_recurse(iter, &child) ? walk(&child, true, h) : sb_fail("corrupt array");
        case BSON_TYPE_DOCUMENT:
            return bson_iter_recurse(iter, &child) ? walk(&child, false, h) : sb_fail("corrupt document");
        default: return sb_fail("unexpected type %d", (int)bson_iter_type(iter));
    }
}

static bool walk(bson_iter_t *iter, bool array, sb_hash *h) {
    size_t count = 0;
    for (; bson_iter_next(iter); count++) {
        if (!array) sb_hash_str(h, bson_iter_key(iter), bson_iter_key_len(iter));
        if (!element(iter, h)) return false;
    }
    if (iter->err_off != 0) return sb_fail("corrupt at byte %u of a document", (unsigned)iter->err_off);
    sb_hash_count(h, count);
    return true;
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    bson_t document;
    bson_iter_t iter;
    if (!bson_init_static(&document, (const uint8_t *)data, size) || !bson_iter_init(&iter, &document))
        return sb_fail("not a BSON document");
    return walk(&iter, sb_root_is_array, h);
}

const char *sb_library_version(void) { return bson_get_version(); }
