#include <serbench/serializer.h>

#include <exception>
#include <msgpack.hpp>

void *sb_document(char *data, size_t size) try {
    return new msgpack::object_handle(msgpack::unpack(data, size));
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_serialize(void *document, sb_output *out) try {
    msgpack::sbuffer buffer;
    msgpack::pack(buffer, static_cast<msgpack::object_handle *>(document)->get());
    sb_output_block(out, buffer.data(), buffer.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

void sb_document_free(void *document) { delete static_cast<msgpack::object_handle *>(document); }

const char *sb_library_version(void) { return msgpack_version(); }
