#include <cJSON.h>
#include <serbench/serializer.h>

void *sb_document(char *data, size_t size) {
    cJSON *root = cJSON_ParseWithLength(data, size);
    if (root == NULL) (void)sb_fail("not JSON before \"%.20s\"", cJSON_GetErrorPtr());
    return root;
}

bool sb_serialize(void *document, sb_output *out) {
    char *text = cJSON_PrintUnformatted(document);
    if (text == NULL) return sb_fail("cJSON_PrintUnformatted failed");
    sb_output_block(out, text, strlen(text));
    cJSON_free(text);
    return true;
}

void sb_document_free(void *document) { cJSON_Delete(document); }

const char *sb_library_version(void) { return cJSON_Version(); }
