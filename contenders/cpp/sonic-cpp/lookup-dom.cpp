#include "pointer.h"

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    sonic_json::Document document;
    document.Parse(data, size);
    if (document.HasParseError())
        return sb_fail("%s at byte %zu", sonic_json::ErrorMsg(document.GetParseError()),
                       document.GetErrorOffset());
    for (size_t i = 0; i < count; i++) {
        const sonic_json::Node *node = document.AtPointer(pointer_of(paths[i]));
        if (node == nullptr || !hash_scalar(*node, h)) return sb_missing(&paths[i]);
    }
    return true;
}
