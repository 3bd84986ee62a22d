#include <serbench/serializer.h>
#include <stdlib.h>
#include <yyjson.h>

void *sb_document(char *data, size_t size) {
    yyjson_read_err error;
    yyjson_doc *document = yyjson_read_opts(data, size, YYJSON_READ_NOFLAG, NULL, &error);
    if (document == NULL) (void)sb_fail("%s at byte %zu", error.msg, error.pos);
#ifdef MUTABLE
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(document, NULL);
    if (copy == NULL && document != NULL) (void)sb_fail("out of memory");
    yyjson_doc_free(document);
    return copy;
#else
    return document;
#endif
}

bool sb_serialize(void *document, sb_output *out) {
    yyjson_write_err error;
    size_t length = 0;
#ifdef MUTABLE
    char *text = yyjson_mut_write_opts(document, YYJSON_WRITE_NOFLAG, NULL, &length, &error);
#else
    char *text = yyjson_write_opts(document, YYJSON_WRITE_NOFLAG, NULL, &length, &error);
#endif
    if (text == NULL) return sb_fail("%s", error.msg);
    sb_output_block(out, text, length);
    free(text);
    return true;
}

void sb_document_free(void *document) {
#ifdef MUTABLE
    yyjson_mut_doc_free(document);
#else
    yyjson_doc_free(document);
#endif
}

const char *sb_library_version(void) { return YYJSON_VERSION_STRING; }
