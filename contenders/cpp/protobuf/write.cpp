#include <serbench/struct_writer.hpp>

#include "messages.h"

bool sb_write_struct(const data::Root &plain, sb_output *out) {
    Root root;
    fill(plain, &root);
    return serialize(root, out);
}
