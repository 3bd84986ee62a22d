#include <msgpack.h>
#include <serbench/serializer.h>
#include <stdlib.h>

void *sb_document(char *data, size_t size) {
    size_t offset = 0;
    msgpack_unpacked *result = malloc(sizeof *result);
    if (result == NULL) return sb_fail("out of memory"), NULL;
    msgpack_unpacked_init(result);
    msgpack_unpack_return status = msgpack_unpack_next(result, data, size, &offset);
    if (status == MSGPACK_UNPACK_SUCCESS) return result;
    msgpack_unpacked_destroy(result);
    free(result);
    return sb_fail("unpacking failed with %d", (int)status), NULL;
}

bool sb_serialize(void *document, sb_output *out) {
    const msgpack_unpacked *unpacked = document;
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    int status = msgpack_pack_object(&packer, unpacked->data);
    if (status == 0) sb_output_block(out, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    return status == 0 || sb_fail("packing failed with %d", status);
}

void sb_document_free(void *document) {
    msgpack_unpacked_destroy(document);
    free(document);
}

const char *sb_library_version(void) { return msgpack_version(); }
