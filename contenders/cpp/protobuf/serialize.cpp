#include <serbench/serializer.h>

#include <memory>

#include "messages.h"

void *sb_document(char *data, size_t size) {
    auto root = std::make_unique<Root>();
    return parse(data, size, root.get()) ? root.release() : nullptr;
}

bool sb_serialize(void *document, sb_output *out) {
    return serialize(*static_cast<const Root *>(document), out);
}

void sb_document_free(void *document) { delete static_cast<Root *>(document); }
