#include <serbench/reader.h>
#include <yyjson.h>

#ifdef IN_SITU
static const yyjson_read_flag FLAGS = YYJSON_READ_INSITU;
#else
static const yyjson_read_flag FLAGS = YYJSON_READ_NOFLAG;
#endif

static void walk(yyjson_val *value, sb_hash *h) {
    size_t i, count;
    yyjson_val *key, *item;
    switch (yyjson_get_type(value)) {
        case YYJSON_TYPE_NULL: sb_hash_nil(h); return;
        case YYJSON_TYPE_BOOL: sb_hash_bool(h, yyjson_get_bool(value)); return;
        case YYJSON_TYPE_NUM:
            if (yyjson_is_uint(value))
                sb_hash_u64(h, yyjson_get_uint(value));
            else if (yyjson_is_sint(value))
                sb_hash_i64(h, yyjson_get_sint(value));
            else
                sb_hash_f64(h, yyjson_get_real(value));
            return;
        case YYJSON_TYPE_STR: sb_hash_str(h, yyjson_get_str(value), yyjson_get_len(value)); return;
        case YYJSON_TYPE_ARR:
            yyjson_arr_foreach(value, i, count, item) walk(item, h);
            sb_hash_count(h, yyjson_arr_size(value));
            return;
        default: /* an object: no flag makes it keep raw texts */
            yyjson_obj_foreach(value, i, count, key, item) {
                sb_hash_str(h, yyjson_get_str(key), yyjson_get_len(key));
                walk(item, h);
            }
            sb_hash_count(h, yyjson_obj_size(value));
            return;
    }
}

#ifdef REUSE
/* Of all calls; it keeps the memory of a document that was freed. */
static yyjson_alc *allocator;

bool sb_setup(void) {
    allocator = yyjson_alc_dyn_new();
    return allocator != NULL || sb_fail("out of memory");
}
#else
static const yyjson_alc *const allocator = NULL; /* the library's own, which is malloc */
#endif

bool sb_read(char *data, size_t size, sb_hash *h) {
    yyjson_read_err error;
    yyjson_doc *doc = yyjson_read_opts(data, size, FLAGS, allocator, &error);
    if (doc == NULL) return sb_fail("%s at byte %zu", error.msg, error.pos);
    walk(yyjson_doc_get_root(doc), h);
    yyjson_doc_free(doc);
    return true;
}

const char *sb_library_version(void) { return YYJSON_VERSION_STRING; }
