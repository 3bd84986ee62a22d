#include <serbench/lookup.h>

#include <exception>
#include <jsoncons_ext/jsonpointer/jsonpointer.hpp>
#include <system_error>

#include "scalar.h"

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const Json document = decode(data, size);
    for (size_t i = 0; i < count; i++) {
        const jsoncons::string_view pointer(paths[i].pointer, paths[i].pointer_length);
        std::error_code error;
        const Json &value = jsoncons::jsonpointer::get(document, pointer, error);
        if (error || !hash_scalar(value, h)) return sb_missing(&paths[i]);
    }
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
