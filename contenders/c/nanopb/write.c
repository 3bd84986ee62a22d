#include <serbench/struct_writer.h>

#include "encode.h"

bool sb_write_struct(const data_root *plain, sb_output *out) {
    Root root = {0};
    OF_ROOT(fill)(plain, &root);
    const bool good = encode(&root, out);
    OF_ROOT(clear)(&root);
    return good;
}
