#include <serbench/serializer.h>

#include <memory>

#include "sonic.h"

void *sb_document(char *data, size_t size) {
    auto document = std::make_unique<sonic_json::Document>();
    document->Parse(data, size);
    if (!document->HasParseError()) return document.release();
    (void)sb_fail("%s at byte %zu", sonic_json::ErrorMsg(document->GetParseError()),
                  document->GetErrorOffset());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) {
    sonic_json::WriteBuffer buffer;
    const sonic_json::SonicError error = static_cast<sonic_json::Document *>(document)->Serialize(buffer);
    if (error != sonic_json::kErrorNone) return sb_fail("%s", sonic_json::ErrorMsg(error));
    sb_output_block(out, buffer.ToString(), buffer.Size());
    return true;
}

void sb_document_free(void *document) { delete static_cast<sonic_json::Document *>(document); }
