#include <serbench/baseline.h>
#include <serbench/lookup.h>

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    const sb_value *values = sb_harness_root()->as.items;
    (void)data;
    (void)size;
    for (size_t i = 0; i < count; i++) {
#if defined WRONG_VALUE
        if (i == 0) sb_hash_str(h, "another value", 13);
        if (i == 0) continue;
#elif defined SKIPS
        if (i == 0) continue;
#elif defined NEVER_LOOKS
        break;
#elif defined MISSES
        if (i == count - 1) return sb_missing(&paths[i]);
#endif
        sb_hash_value(h, &values[i]);
    }
    (void)paths;
    return true;
}

const char *sb_library_version(void) { return "0"; }
