#include <serbench/serializer.h>

#include "encode.h"

typedef struct Document {
    upb_Arena *arena;
    upb_Message *root;
} Document;

void *sb_document(char *data, size_t size) {
    Document *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    made->arena = upb_Arena_New();
    made->root = made->arena == NULL ? NULL : decode(data, size, made->arena);
    if (made->root != NULL) return made;
    sb_document_free(made);
    return NULL;
}

bool sb_serialize(void *document, sb_output *out) {
    upb_Arena *arena = upb_Arena_New();
    if (arena == NULL) return sb_fail("out of memory");
    const bool good = encode(((const Document *)document)->root, arena, out);
    upb_Arena_Free(arena);
    return good;
}

void sb_document_free(void *document) {
    Document *made = document;
    if (made->arena != NULL) upb_Arena_Free(made->arena);
    free(made);
}
