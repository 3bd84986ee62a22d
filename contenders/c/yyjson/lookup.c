#include <serbench/lookup.h>
#include <yyjson.h>

static bool hash_scalar(yyjson_val *value, sb_hash *h) {
    switch (yyjson_get_type(value)) {
        case YYJSON_TYPE_NULL: sb_hash_nil(h); return true;
        case YYJSON_TYPE_BOOL: sb_hash_bool(h, yyjson_get_bool(value)); return true;
        case YYJSON_TYPE_NUM:
            if (yyjson_is_uint(value))
                sb_hash_u64(h, yyjson_get_uint(value));
            else if (yyjson_is_sint(value))
                sb_hash_i64(h, yyjson_get_sint(value));
            else
                sb_hash_f64(h, yyjson_get_real(value));
            return true;
        case YYJSON_TYPE_STR: sb_hash_str(h, yyjson_get_str(value), yyjson_get_len(value)); return true;
        default: return false; /* also of NULL, which has no type */
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    yyjson_read_err error;
    yyjson_doc *doc = yyjson_read_opts(data, size, YYJSON_READ_NOFLAG, NULL, &error);
    if (doc == NULL) return sb_fail("%s at byte %zu", error.msg, error.pos);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        yyjson_val *value = yyjson_doc_ptr_getn(doc, paths[i].pointer, paths[i].pointer_length);
        good = hash_scalar(value, h) || sb_missing(&paths[i]);
    }
    yyjson_doc_free(doc);
    return good;
}

const char *sb_library_version(void) { return YYJSON_VERSION_STRING; }
