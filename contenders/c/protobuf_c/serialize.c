#include <serbench/serializer.h>

#include "pack.h"

void *sb_document(char *data, size_t size) {
    Root *root = ROOT(unpack)(NULL, size, (const uint8_t *)data);
    if (root == NULL) (void)sb_fail("the library refuses the bytes");
    return root;
}

bool sb_serialize(void *document, sb_output *out) {
    pack(document, out);
    return true;
}

void sb_document_free(void *document) { ROOT(free_unpacked)(document, NULL); }
