#include <serbench/serializer.h>
#include <stdlib.h>

typedef struct document {
    char *data;
    size_t size;
} document;

void *sb_document(char *data, size_t size) {
    document *made = malloc(sizeof *made);
    if (made == NULL) return sb_fail("out of memory"), NULL;
    *made = (document){data, size};
#ifdef WRONG_VALUE
    data[size - 1] ^= 1;
#endif
#ifdef NO_DOCUMENT
    free(made);
    return sb_fail("it makes no document"), NULL;
#else
    return made;
#endif
}

bool sb_serialize(void *made, sb_output *out) {
    const document *it = made;
#ifdef EMPTY
    (void)it;
    (void)out;
    return true;
#else
    return sb_output_append(out, it->data, it->size);
#endif
}

void sb_document_free(void *made) { free(made); }

const char *sb_library_version(void) { return "0"; }
