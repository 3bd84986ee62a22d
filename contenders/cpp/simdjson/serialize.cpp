#include <serbench/serializer.h>

#include <memory>

#include "parser.h"

namespace dom = simdjson::dom;

/* The parser owns what it parsed. */
struct Parsed {
    dom::parser parser;
    dom::element root;
};

void *sb_document(char *data, size_t size) try {
    auto parsed = std::make_unique<Parsed>();
    parsed->root = parsed->parser.parse(data, size, false);
    return parsed.release();
} catch (const simdjson::simdjson_error &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    const std::string text = simdjson::to_string(static_cast<const Parsed *>(document)->root);
    sb_output_block(out, text.data(), text.size());
    return true;
} catch (const simdjson::simdjson_error &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<Parsed *>(document); }

const char *sb_library_version(void) {
    static const std::string text = simdjson_version() + ")";
    return text.c_str();
}
