#include <serbench/reader.h>

#include "values.h"

bool sb_read(char *data, size_t size, sb_hash *h) {
    avro_value_t root;
    if (!decode(data, size, &root)) return false;
    const bool good = SB_OF_ROOT(walk_)(h, &root);
    avro_value_decref(&root);
    return good;
}
