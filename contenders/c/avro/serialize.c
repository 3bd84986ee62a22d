#include <serbench/serializer.h>

#include "encode.h"

void *sb_document(char *data, size_t size) {
    avro_value_t *root = malloc(sizeof *root);
    if (root != NULL && decode(data, size, root)) return root;
    free(root);
    return NULL;
}

bool sb_serialize(void *document, sb_output *out) { return encode(document, out); }

void sb_document_free(void *document) {
    avro_value_decref(document);
    free(document);
}
