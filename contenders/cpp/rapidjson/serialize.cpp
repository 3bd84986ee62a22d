#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <serbench/serializer.h>

#include <memory>

/* Full precision, since what is measured is how the document is written. */
void *sb_document(char *data, size_t) {
    auto document = std::make_unique<rapidjson::Document>();
    document->Parse<rapidjson::kParseFullPrecisionFlag>(data);
    if (!document->HasParseError()) return document.release();
    (void)sb_fail("%s at byte %zu", rapidjson::GetParseError_En(document->GetParseError()),
                  document->GetErrorOffset());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    if (!static_cast<rapidjson::Document *>(document)->Accept(writer))
        return sb_fail("the writer refused a value");
    sb_output_block(out, buffer.GetString(), buffer.GetSize());
    return true;
}

void sb_document_free(void *document) { delete static_cast<rapidjson::Document *>(document); }

const char *sb_library_version(void) { return RAPIDJSON_VERSION_STRING; }
