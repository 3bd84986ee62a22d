#include <serbench/writer.h>
#include <stdlib.h>
#include <yyjson.h>

/* The strings are not copied: they outlive the document. Adding a null pointer fails. */
static yyjson_mut_val *convert(yyjson_mut_doc *doc, const sb_value *value) {
    yyjson_mut_val *container;
    bool good = true;
    switch ((sb_type)value->type) {
        case SB_NIL: return yyjson_mut_null(doc);
        case SB_BOOL: return yyjson_mut_bool(doc, value->as.boolean);
        case SB_I64: return yyjson_mut_sint(doc, value->as.i64);
        case SB_U64: return yyjson_mut_uint(doc, value->as.u64);
        case SB_F64: return yyjson_mut_real(doc, value->as.f64);
        case SB_STR: return yyjson_mut_strn(doc, value->as.str, value->length);
        case SB_ARRAY:
            container = yyjson_mut_arr(doc);
            for (uint32_t i = 0; i < value->length && good; i++)
                good = yyjson_mut_arr_append(container, convert(doc, &value->as.items[i]));
            return good ? container : NULL;
        default:
            container = yyjson_mut_obj(doc);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                yyjson_mut_val *key = yyjson_mut_strn(doc, member->key, member->key_length);
                good = yyjson_mut_obj_add(container, key, convert(doc, &member->value));
            }
            return good ? container : NULL;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    yyjson_write_err error = {0};
    size_t length = 0;
    char *text = NULL;
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) return sb_fail("out of memory");
    yyjson_mut_doc_set_root(doc, convert(doc, root));
    if (yyjson_mut_doc_get_root(doc) != NULL) text = yyjson_mut_write_opts(doc, 0, NULL, &length, &error);
    yyjson_mut_doc_free(doc);
    if (text == NULL) return sb_fail("%s", error.msg != NULL ? error.msg : "out of memory");
    sb_output_block(out, text, length);
    free(text);
    return true;
}

const char *sb_library_version(void) { return YYJSON_VERSION_STRING; }
