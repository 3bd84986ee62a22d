#include <serbench/serializer.h>

#include "encode.h"

void *sb_document(char *data, size_t size) { return decode(data, size); }

bool sb_serialize(void *document, sb_output *out) { return encode(document, out); }

void sb_document_free(void *document) { g_object_unref(document); }
