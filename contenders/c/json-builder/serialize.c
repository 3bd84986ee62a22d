#include <json-builder.h>
#include <serbench/serializer.h>

/* Only a document that was parsed with these settings may be changed, and freed by json_builder_free. */
void *sb_document(char *data, size_t size) {
    json_settings settings = {.value_extra = json_builder_extra};
    char error[json_error_max] = "";
    json_value *root = json_parse_ex(&settings, data, size, error);
    if (root == NULL) (void)sb_fail("%s", error);
    return root;
}

bool sb_serialize(void *document, sb_output *out) {
    json_serialize_opts options = {.mode = json_serialize_mode_packed};
    json_char *text = malloc(json_measure_ex(document, options));
    if (text == NULL) return sb_fail("out of memory");
    json_serialize_ex(text, document, options);
    sb_output_block(out, text, strlen(text));
    free(text);
    return true;
}

void sb_document_free(void *document) { json_builder_free(document); }

const char *sb_library_version(void) { return ""; }
