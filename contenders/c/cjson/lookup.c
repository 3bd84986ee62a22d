#include <cJSON.h>
#include <limits.h>
#include <serbench/lookup.h>

/* The library looks into an array for a key, and into an object for an index, so it is asked before. */
static const cJSON *follow(const cJSON *value, const sb_path *path) {
    for (uint32_t i = 0; i < path->length && value != NULL; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR)
            value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, step->as.str) : NULL;
        else if (cJSON_IsArray(value) && step->as.u64 <= INT_MAX)
            value = cJSON_GetArrayItem(value, (int)step->as.u64);
        else
            value = NULL;
    }
    return value;
}

static bool hash_scalar(const cJSON *value, sb_hash *h) {
    if (cJSON_IsNull(value)) return sb_hash_nil(h), true;
    if (cJSON_IsBool(value)) return sb_hash_bool(h, cJSON_IsTrue(value)), true;
    if (cJSON_IsNumber(value)) return sb_hash_f64(h, cJSON_GetNumberValue(value)), true;
    if (!cJSON_IsString(value)) return false;
    const char *text = cJSON_GetStringValue(value);
    return sb_hash_str(h, text, strlen(text)), true;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    cJSON *root = cJSON_ParseWithLength(data, size);
    if (root == NULL) return sb_fail("not JSON before \"%.20s\"", cJSON_GetErrorPtr());
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = hash_scalar(follow(root, &paths[i]), h) || sb_missing(&paths[i]);
    cJSON_Delete(root);
    return good;
}

const char *sb_library_version(void) { return cJSON_Version(); }
