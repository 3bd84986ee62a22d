#include <json.h>
#include <serbench/serializer.h>

/* A double that was read keeps its text, and would be written as that, until it is set. */
static void forget_texts(json_object *value) {
    if (json_object_is_type(value, json_type_double))
        (void)json_object_set_double(value, json_object_get_double(value));
    if (json_object_is_type(value, json_type_array))
        for (size_t i = 0; i < json_object_array_length(value); i++)
            forget_texts(json_object_array_get_idx(value, i));
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, item) {
            (void)key;
            forget_texts(item);
        }
    }
}

void *sb_document(char *data, size_t size) {
    json_tokener *tokener = json_tokener_new();
    if (tokener == NULL) return sb_fail("out of memory"), NULL;
    /* With the zero byte after the data, a number at the root ends too. */
    json_object *root = json_tokener_parse_ex(tokener, data, (int)size + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    if (error != json_tokener_success) (void)sb_fail("%s", json_tokener_error_desc(error));
    forget_texts(root);
    return root;
}

/* The text stays in the object, whose buffer is used again: there is no call that gives it back. */
bool sb_serialize(void *document, sb_output *out) {
    size_t length = 0;
    const char *text = json_object_to_json_string_length(document, JSON_C_TO_STRING_PLAIN, &length);
    if (text == NULL) return sb_fail("json_object_to_json_string_length failed");
    sb_output_block(out, text, length);
    return true;
}

void sb_document_free(void *document) { json_object_put(document); }

const char *sb_library_version(void) { return json_c_version(); }
