/* The lower bound of a serializer: copying the smallest encoding into the output. */
#include <serbench/baseline.h>
#include <serbench/serializer.h>

void *sb_document(char *data, size_t size) {
    (void)size;
    return data;
}

bool sb_serialize(void *document, sb_output *out) {
    size_t size;
    (void)sb_harness_input(&size);
    return sb_output_append(out, document, size) || sb_fail("out of memory");
}

void sb_document_free(void *document) { (void)document; }

const char *sb_library_version(void) { return ""; }
