/* Encodes a message into the arena. */
#ifndef ENCODE_H
#define ENCODE_H

#include <serbench/writer.h>

#include "messages.h"

static inline bool encode(const upb_Message *root, upb_Arena *arena, sb_output *out) {
    char *bytes;
    size_t size;
    const upb_EncodeStatus status = upb_Encode(root, tables[ROOT], 0, arena, &bytes, &size);
    if (status != kUpb_EncodeStatus_Ok) return sb_fail("%s", upb_EncodeStatus_String(status));
    sb_output_block(out, bytes, size);
    return true;
}

#endif
