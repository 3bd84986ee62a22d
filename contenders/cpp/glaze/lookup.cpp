#include <serbench/lookup.h>

#include <exception>

#include "value.h"

/* The value at a path, null if there is none. */
static const Json *find(const Json &root, const sb_path &path) {
    const Json *json = &root;
    for (uint32_t i = 0; i < path.length; i++) {
        const sb_value &step = path.steps[i];
        if (step.type == SB_STR) {
            const std::string_view key(step.as.str, step.length);
            if (!json->contains(key)) return nullptr;
            json = &(*json)[key];
        } else {
            if (!json->is_array() || step.as.u64 >= json->size()) return nullptr;
            json = &(*json)[size_t(step.as.u64)];
        }
    }
    return json;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const std::string_view text(data, size);
    Json json;
    const glz::error_ctx error = glz::read_json(json, text);
    if (error) return sb_fail("%s", glz::format_error(error, text).c_str());
    for (size_t i = 0; i < count; i++) {
        const Json *found = find(json, paths[i]);
        if (found == nullptr || !std::visit(Scalar{h}, found->data)) return sb_missing(&paths[i]);
    }
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
