#include <daw/json/daw_json_link.h>
#include <serbench/lookup.h>

#include <exception>

#include "scalar.h"

namespace json = daw::json;

static bool hash_scalar(const Value &value, sb_hash *h) {
    switch (value.type()) {
        case json::JsonBaseParseTypes::Null: sb_hash_nil(h); return true;
        case json::JsonBaseParseTypes::Bool: sb_hash_bool(h, value.as<bool>()); return true;
        case json::JsonBaseParseTypes::Number: hash_number(value, h); return true;
        case json::JsonBaseParseTypes::String: hash_string(value, h); return true;
        default: return false;
    }
}

/* The value at a path; one of no type if there is none. */
static Value find(Value value, const sb_path &path) {
    for (uint32_t i = 0; i < path.length; i++) {
        const sb_value &step = path.steps[i];
        if (step.type == SB_STR)
            value = value.find_class_member(std::string_view(step.as.str, step.length));
        else
            value = value.is_array() ? value.find_array_element(step.as.u64) : Value();
    }
    return value;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const Value root(std::string_view(data, size));
    for (size_t i = 0; i < count; i++)
        if (!hash_scalar(find(root, paths[i]), h)) return sb_missing(&paths[i]);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
