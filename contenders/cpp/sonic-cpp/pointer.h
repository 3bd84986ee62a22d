/* A path as a pointer of the library, whose strings stand in the path. */
#ifndef POINTER_H
#define POINTER_H

#include <serbench/lookup.h>

#include "sonic.h"

inline sonic_json::JsonPointerView pointer_of(const sb_path &path) {
    sonic_json::JsonPointerView pointer;
    for (uint32_t i = 0; i < path.length; i++) {
        const sb_value &step = path.steps[i];
        if (step.type == SB_STR)
            pointer.emplace_back(sonic_json::StringView(step.as.str, step.length));
        else
            pointer.emplace_back(step.as.u64);
    }
    return pointer;
}

#endif
