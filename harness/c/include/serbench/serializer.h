/* The contract of the test `serialize`: a contender includes this and defines sb_document, sb_serialize,
 * sb_document_free and sb_library_version. */
#ifndef SERBENCH_SERIALIZER_H
#define SERBENCH_SERIALIZER_H

#include "serbench/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* To be defined by the contender: the library's own document of the `size` encoded bytes at `data`. Called
 * before the clock runs. `data` may be changed, is followed by at least one zero byte (more if the manifest
 * states a padding), and stays until the document is freed. NULL (see sb_fail) if it cannot be made. */
void *sb_document(char *data, size_t size);

/* To be defined by the contender: encodes the document, as sb_write does a tree. What the library keeps in
 * a document so that it need not encode it again must not be used. */
bool sb_serialize(void *document, sb_output *out);

/* To be defined by the contender. */
void sb_document_free(void *document);

#ifdef __cplusplus
}
#endif
#endif
