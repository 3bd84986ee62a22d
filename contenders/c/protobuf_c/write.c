#include <serbench/struct_writer.h>

#include "pack.h"

bool sb_write_struct(const data_root *plain, sb_output *out) {
    Root *root = OF_ROOT(fill)(plain);
    pack(root, out);
    OF_ROOT(clear)(root);
    return true;
}
