#include <serbench/struct_writer.hpp>

#include "objects.h"

bool sb_write_struct(const data::Root &plain, sb_output *out) try {
    Root root;
    fill(plain, root);
    encode(root, out);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
