#include <serbench/reader.h>

#include "value.h"

static bool walk(const flexbuffers::Reference &value, sb_hash *h);

template <typename Items>
static bool walk_items(const Items &items, sb_hash *h) {
    for (size_t i = 0; i < items.size(); i++)
        if (!walk(items[i], h)) return false;
    sb_hash_count(h, items.size());
    return true;
}

static bool walk(const flexbuffers::Reference &value, sb_hash *h) {
    if (value.IsMap()) {
        const flexbuffers::Map map = value.AsMap();
        const flexbuffers::TypedVector keys = map.Keys();
        const flexbuffers::Vector values = map.Values();
        for (size_t i = 0; i < keys.size(); i++) {
            const char *key = keys[i].AsKey();
            sb_hash_str(h, key, strlen(key));
            if (!walk(values[i], h)) return false;
        }
        sb_hash_count(h, keys.size());
        return true;
    }
    if (value.IsUntypedVector()) return walk_items(value.AsVector(), h);
    if (value.IsTypedVector()) return walk_items(value.AsTypedVector(), h);
    if (value.IsFixedTypedVector()) return walk_items(value.AsFixedTypedVector(), h);
    return hash_scalar(value, h) || sb_fail("unexpected type %d", static_cast<int>(value.GetType()));
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    flexbuffers::Reference root;
    return root_of(data, size, &root) && walk(root, h);
}
