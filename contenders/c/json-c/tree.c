#include <json.h>
#include <serbench/reader.h>

/* Both signed and unsigned integers are of the type int; each getter stops at its own bounds. */
static void hash_integer(json_object *value, sb_hash *h) {
    int64_t number = json_object_get_int64(value);
    if (number < 0)
        sb_hash_i64(h, number);
    else
        sb_hash_u64(h, json_object_get_uint64(value));
}

static void walk(json_object *value, sb_hash *h) {
    switch (json_object_get_type(value)) {
        case json_type_null: sb_hash_nil(h); return;
        case json_type_boolean: sb_hash_bool(h, json_object_get_boolean(value)); return;
        case json_type_int: hash_integer(value, h); return;
        case json_type_double: sb_hash_f64(h, json_object_get_double(value)); return;
        case json_type_string:
            sb_hash_str(h, json_object_get_string(value), (size_t)json_object_get_string_len(value));
            return;
        case json_type_array:
            for (size_t i = 0; i < json_object_array_length(value); i++)
                walk(json_object_array_get_idx(value, i), h);
            sb_hash_count(h, json_object_array_length(value));
            return;
        case json_type_object: {
            json_object_object_foreach(value, key, item) {
                sb_hash_str(h, key, strlen(key));
                walk(item, h);
            }
            sb_hash_count(h, (size_t)json_object_object_length(value));
            return;
        }
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    json_tokener *tokener = json_tokener_new();
    if (tokener == NULL) return sb_fail("out of memory");
    /* With the zero byte after the data, a number at the root ends too. */
    json_object *root = json_tokener_parse_ex(tokener, data, (int)size + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    if (error == json_tokener_success) walk(root, h);
    size_t end = json_tokener_get_parse_end(tokener);
    json_object_put(root);
    json_tokener_free(tokener);
    if (error != json_tokener_success) return sb_fail("%s", json_tokener_error_desc(error));
    return end >= size || sb_fail("more than one value");
}

const char *sb_library_version(void) { return json_c_version(); }
