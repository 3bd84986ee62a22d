#include <jansson.h>
#include <serbench/lookup.h>

static const json_t *follow(const json_t *value, const sb_path *path) {
    for (uint32_t i = 0; i < path->length && value != NULL; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR)
            value = json_object_getn(value, step->as.str, step->length);
        else
            value = json_array_get(value, step->as.u64);
    }
    return value;
}

static bool hash_scalar(const json_t *value, sb_hash *h) {
    if (value == NULL) return false;
    switch (json_typeof(value)) {
        case JSON_NULL: sb_hash_nil(h); return true;
        case JSON_TRUE: sb_hash_bool(h, true); return true;
        case JSON_FALSE: sb_hash_bool(h, false); return true;
        case JSON_INTEGER: sb_hash_i64(h, json_integer_value(value)); return true;
        case JSON_REAL: sb_hash_f64(h, json_real_value(value)); return true;
        case JSON_STRING: sb_hash_str(h, json_string_value(value), json_string_length(value)); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    json_error_t error;
    json_t *root = json_loadb(data, size, 0, &error);
    if (root == NULL) return sb_fail("%s at byte %d", error.text, error.position);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = hash_scalar(follow(root, &paths[i]), h) || sb_missing(&paths[i]);
    json_decref(root);
    return good;
}

bool sb_setup(void) {
    json_object_seed(12345678);
    return true;
}

const char *sb_library_version(void) { return jansson_version_str(); }
