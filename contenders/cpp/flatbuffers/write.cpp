#include <serbench/struct_writer.hpp>

#include "flat.h"
#include "tables.hpp"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    Builder builder;
    builder.Finish(pack_root(builder, root));
    sb_output_block(out, builder.GetBufferPointer(), builder.GetSize());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
