#include <json.h>
#include <serbench/lookup.h>

/* False if there is no such value: a null pointer is json-c's own null value. */
static bool follow(json_object **value, const sb_path *path) {
    for (uint32_t i = 0; i < path->length; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR) {
            if (!json_object_object_get_ex(*value, step->as.str, value)) return false;
        } else {
            if (!json_object_is_type(*value, json_type_array) ||
                step->as.u64 >= json_object_array_length(*value))
                return false;
            *value = json_object_array_get_idx(*value, (size_t)step->as.u64);
        }
    }
    return true;
}

/* Both signed and unsigned integers are of the type int; each getter stops at its own bounds. */
static void hash_integer(json_object *value, sb_hash *h) {
    int64_t number = json_object_get_int64(value);
    if (number < 0)
        sb_hash_i64(h, number);
    else
        sb_hash_u64(h, json_object_get_uint64(value));
}

static bool hash_scalar(json_object *value, sb_hash *h) {
    switch (json_object_get_type(value)) {
        case json_type_null: sb_hash_nil(h); return true;
        case json_type_boolean: sb_hash_bool(h, json_object_get_boolean(value)); return true;
        case json_type_int: hash_integer(value, h); return true;
        case json_type_double: sb_hash_f64(h, json_object_get_double(value)); return true;
        case json_type_string:
            sb_hash_str(h, json_object_get_string(value), (size_t)json_object_get_string_len(value));
            return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    json_tokener *tokener = json_tokener_new();
    if (tokener == NULL) return sb_fail("out of memory");
    /* With the zero byte after the data, a number at the root ends too. */
    json_object *root = json_tokener_parse_ex(tokener, data, (int)size + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    bool good = error == json_tokener_success || sb_fail("%s", json_tokener_error_desc(error));
    for (size_t i = 0; i < count && good; i++) {
        json_object *value = root;
        good = (follow(&value, &paths[i]) && hash_scalar(value, h)) || sb_missing(&paths[i]);
    }
    json_object_put(root);
    json_tokener_free(tokener);
    return good;
}

const char *sb_library_version(void) { return json_c_version(); }
