/* Encodes a value. */
#ifndef ENCODE_H
#define ENCODE_H

#include <serbench/writer.h>
#include <stdlib.h>

#include "values.h"

static inline bool encode(avro_value_t *root, sb_output *out) {
    size_t size;
    if (avro_value_sizeof(root, &size) != 0) return failed();
    char *block = malloc(size + 1);
    if (block == NULL) return sb_fail("out of memory");
    avro_writer_t writer = avro_writer_memory(block, (int64_t)size);
    const bool good = writer != NULL && avro_value_write(writer, root) == 0;
    if (good) sb_output_block(out, block, (size_t)avro_writer_tell(writer));
    if (writer != NULL) avro_writer_free(writer);
    free(block);
    return good || failed();
}

#endif
