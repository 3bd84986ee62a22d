#include "pointer.h"

static bool leads_nowhere(sonic_json::SonicError error) {
    return error == sonic_json::kParseErrorUnknownObjKey ||
           error == sonic_json::kParseErrorArrIndexOutOfRange || error == sonic_json::kParseErrorMismatchType;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    for (size_t i = 0; i < count; i++) {
        sonic_json::Document document; /* of the value alone */
        document.ParseOnDemand(data, size, pointer_of(paths[i]));
        const sonic_json::SonicError error = document.GetParseError();
        if (error != sonic_json::kErrorNone && !leads_nowhere(error))
            return sb_fail("%s at byte %zu", sonic_json::ErrorMsg(error), document.GetErrorOffset());
        if (error != sonic_json::kErrorNone || !hash_scalar(document, h)) return sb_missing(&paths[i]);
    }
    return true;
}
