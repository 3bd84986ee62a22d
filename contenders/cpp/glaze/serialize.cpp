#include <serbench/serializer.h>

#include <exception>
#include <memory>

#include "value.h"

void *sb_document(char *data, size_t size) try {
    const std::string_view text(data, size);
    auto json = std::make_unique<Json>();
    const glz::error_ctx error = glz::read_json(*json, text);
    if (!error) return json.release();
    (void)sb_fail("%s", glz::format_error(error, text).c_str());
    return nullptr;
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    std::string text;
    const glz::error_ctx error = glz::write<Options{}>(*static_cast<const Json *>(document), text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<Json *>(document); }
