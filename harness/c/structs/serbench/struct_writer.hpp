/* The contract of the test `write` of a contender with a schema: it includes this and defines sb_write_struct
 * and sb_library_version. */
#pragma once

#include <serbench/struct.h>

#include <exception>
#include <memory>

#include "data.hpp"

/* To be defined by the contender: encodes the struct, as sb_write does a tree. */
bool sb_write_struct(const data::Root &root, sb_output *out);

void *sb_struct(const sb_value *root) try {
    auto made = std::make_unique<data::Root>();
    sb::Maker{}(*root, *made);
    return made.release();
} catch (const std::exception &error) {
    (void)sb_fail("%s", error.what());
    return nullptr;
}

bool sb_struct_write(const void *made, sb_output *out) {
    return sb_write_struct(*static_cast<const data::Root *>(made), out);
}

void sb_struct_free(void *made) { delete static_cast<data::Root *>(made); }
