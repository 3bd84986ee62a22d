#include <serbench/serializer.h>

#include <exception>

#include "format.h"

void *sb_document(char *data, size_t size) try {
    return new Json(decode(data, size));
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    Bytes bytes;
    encode(*static_cast<const Json *>(document), bytes);
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<Json *>(document); }
