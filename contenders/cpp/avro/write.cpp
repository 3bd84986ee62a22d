#include <serbench/struct_writer.hpp>

#include "records.h"

bool sb_write_struct(const data::Root &plain, sb_output *out) try {
    avroed::Root root;
    avroed::fill(plain, root);
    return encode(root, out);
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
