#include <serbench/serializer.h>

#include "objects.h"

void *sb_document(char *data, size_t size) try {
    auto root = std::make_unique<Root>();
    decode(data, size, root.get());
    return root.release();
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    encode(*static_cast<const Root *>(document), out);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<Root *>(document); }
