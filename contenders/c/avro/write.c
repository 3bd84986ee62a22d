#include <serbench/struct_writer.h>

#include "encode.h"

bool sb_write_struct(const data_root *plain, sb_output *out) {
    avro_value_t root;
    if (avro_generic_value_new(root_class, &root) != 0) return failed();
    const bool good = SB_OF_ROOT(fill_)(plain, &root) && encode(&root, out);
    avro_value_decref(&root);
    return good;
}
