#include <json/json.h>
#include <serbench/serializer.h>

#include <exception>
#include <memory>
#include <string>

void *sb_document(char *data, size_t size) try {
    const Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    auto root = std::make_unique<Json::Value>();
    std::string errors;
    if (reader->parse(data, data + size, root.get(), &errors)) return root.release();
    (void)sb_fail("%s", errors.c_str());
    return nullptr;
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    const std::string text = Json::writeString(builder, *static_cast<const Json::Value *>(document));
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<Json::Value *>(document); }

const char *sb_library_version(void) { return JSONCPP_VERSION_STRING; }
