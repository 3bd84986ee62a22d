#include <cbor.h>
#include <serbench/serializer.h>
#include <stdlib.h>

void *sb_document(char *data, size_t size) {
    struct cbor_load_result result;
    cbor_item_t *root = cbor_load((cbor_data)data, size, &result);
    if (root == NULL)
        (void)sb_fail("cbor_error_code %d at byte %zu", (int)result.error.code, result.error.position);
    return root;
}

bool sb_serialize(void *document, sb_output *out) {
    unsigned char *data = NULL;
    size_t capacity;
    size_t size = cbor_serialize_alloc(document, &data, &capacity);
    if (size > 0) sb_output_block(out, data, size);
    free(data);
    return size > 0 || sb_fail("cbor_serialize_alloc failed");
}

void sb_document_free(void *document) {
    cbor_item_t *root = document;
    cbor_decref(&root);
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CBOR_MAJOR_VERSION, CBOR_MINOR_VERSION, CBOR_PATCH_VERSION);
}
