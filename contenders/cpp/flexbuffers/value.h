/* What reading and looking up have in common: the root, scalars, the version. */
#ifndef VALUE_H
#define VALUE_H

#include <flatbuffers/flexbuffers.h>
#include <serbench/contender.h>
#include <serbench/hash.h>

/* The root of `data`, which is checked first in the variant; false if there is none. */
inline bool root_of(const char *data, size_t size, flexbuffers::Reference *root) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(data);
    if (size < 3) return sb_fail("too short");
#ifdef VERIFY
    std::vector<uint8_t> seen;
    if (!flexbuffers::VerifyBuffer(bytes, size, &seen)) return sb_fail("VerifyBuffer refused it");
#endif
    *root = flexbuffers::GetRoot(bytes, size);
    return true;
}

/* False if `value` is no scalar. */
inline bool hash_scalar(const flexbuffers::Reference &value, sb_hash *h) {
    switch (value.GetType()) {
        case flexbuffers::FBT_NULL: sb_hash_nil(h); return true;
        case flexbuffers::FBT_BOOL: sb_hash_bool(h, value.AsBool()); return true;
        case flexbuffers::FBT_INT: sb_hash_i64(h, value.AsInt64()); return true;
        case flexbuffers::FBT_UINT: sb_hash_u64(h, value.AsUInt64()); return true;
        case flexbuffers::FBT_FLOAT: sb_hash_f64(h, value.AsDouble()); return true;
        case flexbuffers::FBT_STRING: {
            const flexbuffers::String text = value.AsString();
            sb_hash_str(h, text.c_str(), text.length());
            return true;
        }
        default: return false;
    }
}

const char *sb_library_version(void) {
    return SB_VERSION_3(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION);
}

#endif
