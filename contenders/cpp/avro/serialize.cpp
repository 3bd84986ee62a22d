#include <serbench/serializer.h>

#include <memory>

#include "records.h"

void *sb_document(char *data, size_t size) try {
    auto root = std::make_unique<avroed::Root>();
    decode(data, size, *root);
    return root.release();
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    return encode(*static_cast<const avroed::Root *>(document), out);
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<avroed::Root *>(document); }
