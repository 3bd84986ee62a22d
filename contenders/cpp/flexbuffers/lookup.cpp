#include <serbench/lookup.h>

#include "value.h"

/* A key that is not there yields a null, as one whose value is null does. */
static bool has_key(const flexbuffers::Map &map, const char *key) {
    const flexbuffers::TypedVector keys = map.Keys();
    for (size_t i = 0; i < keys.size(); i++)
        if (strcmp(keys[i].AsKey(), key) == 0) return true;
    return false;
}

static bool follow(flexbuffers::Reference *value, const sb_path *path) {
    for (uint32_t i = 0; i < path->length; i++) {
        const sb_value &step = path->steps[i];
        if (step.type == SB_STR && value->IsMap()) {
            const flexbuffers::Map map = value->AsMap();
            *value = map[step.as.str];
            if (value->IsNull() && !has_key(map, step.as.str)) return false;
        } else if (step.type == SB_U64 && value->IsUntypedVector()) {
            const flexbuffers::Vector items = value->AsVector();
            if (step.as.u64 >= items.size()) return false;
            *value = items[step.as.u64];
        } else {
            return false;
        }
    }
    return true;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    flexbuffers::Reference root;
    if (!root_of(data, size, &root)) return false;
    for (size_t i = 0; i < count; i++) {
        flexbuffers::Reference value = root;
        if (!follow(&value, &paths[i]) || !hash_scalar(value, h)) return sb_missing(&paths[i]);
    }
    return true;
}
