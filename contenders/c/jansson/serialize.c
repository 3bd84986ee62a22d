#include <jansson.h>
#include <serbench/serializer.h>
#include <stdlib.h>

void *sb_document(char *data, size_t size) {
    json_error_t error;
    json_t *root = json_loadb(data, size, 0, &error);
    if (root == NULL) (void)sb_fail("%s at byte %d", error.text, error.position);
    return root;
}

bool sb_serialize(void *document, sb_output *out) {
    char *text = json_dumps(document, JSON_COMPACT);
    if (text == NULL) return sb_fail("json_dumps failed");
    sb_output_block(out, text, strlen(text));
    free(text);
    return true;
}

void sb_document_free(void *document) { json_decref(document); }

bool sb_setup(void) {
    json_object_seed(12345678);
    return true;
}

const char *sb_library_version(void) { return jansson_version_str(); }
