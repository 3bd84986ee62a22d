#include <bson/bson.h>
#include <serbench/writer.h>

/* Version 2.3 has another name for the same: an array whose keys are the caller's task. */
#if BSON_CHECK_VERSION(2, 3, 0)
#define bson_append_array_begin bson_append_array_unsafe_begin
#endif

static bool fill(bson_t *document, const sb_value *value);

static bool put_integer(bson_t *document, const char *key, int length, int64_t number) {
    if (number >= INT32_MIN && number <= INT32_MAX)
        return bson_append_int32(document, key, length, (int32_t)number);
    return bson_append_int64(document, key, length, number);
}

static bool put(bson_t *document, const char *key, int length, const sb_value *value) {
    bson_t child;
    switch ((sb_type)value->type) {
        case SB_NIL: return bson_append_null(document, key, length);
        case SB_BOOL: return bson_append_bool(document, key, length, value->as.boolean);
        case SB_I64: return put_integer(document, key, length, value->as.i64);
        case SB_U64:
            return value->as.u64 <= INT64_MAX && put_integer(document, key, length, (int64_t)value->as.u64);
        case SB_F64: return bson_append_double(document, key, length, value->as.f64);
        case SB_STR: return bson_append_utf8(document, key, length, value->as.str, (int)value->length);
        case SB_ARRAY:
            return bson_append_array_begin(document, key, length, &child) && fill(&child, value) &&
                   bson_append_array_end(document, &child);
        default:
            return bson_append_document_begin(document, key, length, &child) && fill(&child, value) &&
                   bson_append_document_end(document, &child);
    }
}

/* An array, at the root too, is a document whose keys are the indexes. */
static bool fill(bson_t *document, const sb_value *value) {
    char text[16];
    const char *key;
    bool good = true;
    for (uint32_t i = 0; i < value->length && good; i++) {
        if (value->type == SB_ARRAY) {
            size_t length = bson_uint32_to_string(i, &key, text, sizeof text);
            good = put(document, key, (int)length, &value->as.items[i]);
        } else {
            const sb_member *member = &value->as.members[i];
            good = put(document, member->key, (int)member->key_length, &member->value);
        }
    }
    return good;
}

bool sb_write(const sb_value *root, sb_output *out) {
    bson_t *document = bson_new();
    bool good = fill(document, root);
    if (good)
        sb_output_block(out, bson_get_data(document), document->len);
    else
        (void)sb_fail("an integer above 2^63 - 1, a NUL in a key, or a document above 2 GiB");
    bson_destroy(document);
    return good;
}

const char *sb_library_version(void) { return bson_get_version(); }
