#include <serbench/struct_writer.h>

#include "encode.h"

bool sb_write_struct(const data_root *plain, sb_output *out) {
    Root *root = NEW_ROOT;
    OF_ROOT(fill)(plain, root);
    const bool good = encode(root, out);
    g_object_unref(root);
    return good;
}
