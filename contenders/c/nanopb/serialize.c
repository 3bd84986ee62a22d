#include <serbench/serializer.h>

#include "encode.h"

void *sb_document(char *data, size_t size) {
    Root *root = need(1, sizeof *root);
    if (decode(root, data, size)) return root;
    free(root);
    return NULL;
}

bool sb_serialize(void *document, sb_output *out) { return encode(document, out); }

void sb_document_free(void *document) {
    pb_release(ROOT_FIELDS, document);
    free(document);
}
