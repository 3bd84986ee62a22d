/* Encodes a message into a block of its size. */
#ifndef ENCODE_H
#define ENCODE_H

#include <serbench/writer.h>

#include "messages.h"

static inline bool encode(const Root *root, sb_output *out) {
    size_t size;
    if (!pb_get_encoded_size(&size, ROOT_FIELDS, root)) return sb_fail("the library does not tell the size");
    pb_byte_t *bytes = need(size, 1);
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, size);
    const bool good = pb_encode(&stream, ROOT_FIELDS, root) || sb_fail("%s", PB_GET_ERROR(&stream));
    if (good) sb_output_block(out, bytes, stream.bytes_written);
    free(bytes);
    return good;
}

#endif
