/* Packs a message into a block of its size. */
#ifndef PACK_H
#define PACK_H

#include <serbench/writer.h>

#include "messages.h"

static inline void pack(const Root *root, sb_output *out) {
    const size_t size = ROOT(get_packed_size)(root);
    uint8_t *bytes = need(size);
    ROOT(pack)(root, bytes);
    sb_output_block(out, bytes, size);
    free(bytes);
}

#endif
