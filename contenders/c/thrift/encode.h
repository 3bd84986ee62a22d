/* Encodes an object. */
#ifndef ENCODE_H
#define ENCODE_H

#include <serbench/writer.h>

#include "objects.h"

static inline bool encode(Root *root, sb_output *out) {
    GError *error = NULL;
    GByteArray *bytes = g_byte_array_new();
    ThriftProtocol *protocol = protocol_over(bytes);
    const bool good = thrift_struct_write(THRIFT_STRUCT(root), protocol, &error) >= 0;
    if (good) sb_output_block(out, bytes->data, bytes->len);
    g_object_unref(protocol);
    return good || failed(error);
}

#endif
