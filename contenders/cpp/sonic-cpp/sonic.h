/* The library's version, which its own macro SONIC_VERSION_STRING misspells, and what a scalar of it hashes
 * to. */
#ifndef SONIC_H
#define SONIC_H

#include <serbench/contender.h>
#include <serbench/hash.h>
#include <sonic/sonic.h>

const char *sb_library_version(void) {
    return SB_VERSION_3(SONIC_MAJOR_VERSION, SONIC_MINOR_VERSION, SONIC_PATCH_VERSION);
}

/* False if the node is an array or an object. */
inline bool hash_scalar(const sonic_json::Node &node, sb_hash *h) {
    switch (node.GetType()) {
        case sonic_json::kNull: sb_hash_nil(h); return true;
        case sonic_json::kFalse: sb_hash_bool(h, false); return true;
        case sonic_json::kTrue: sb_hash_bool(h, true); return true;
        case sonic_json::kUint: sb_hash_u64(h, node.GetUint64()); return true;
        case sonic_json::kSint: sb_hash_i64(h, node.GetInt64()); return true;
        case sonic_json::kReal: sb_hash_f64(h, node.GetDouble()); return true;
        default: break;
    }
    if (!node.IsString()) return false;
    const auto text = node.GetStringView();
    sb_hash_str(h, text.data(), text.size());
    return true;
}

#endif
