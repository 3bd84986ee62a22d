#include <serbench/struct_writer.hpp>

#include "messages.h"

bool sb_write_struct(const data::Root &plain, sb_output *out) {
    Root root;
    fill(plain, &root);
    std::string bytes;
    if (!root.SerializeToString(&bytes)) return sb_fail("the library refuses the message");
    sb_output_block(out, bytes.data(), bytes.size());
    return true;
}
