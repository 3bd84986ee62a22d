#include <jansson.h>
#include <serbench/reader.h>

static void walk(json_t *value, sb_hash *h) {
    const char *key;
    size_t i, key_length;
    json_t *item;
    switch (json_typeof(value)) {
        case JSON_NULL: sb_hash_nil(h); return;
        case JSON_TRUE: sb_hash_bool(h, true); return;
        case JSON_FALSE: sb_hash_bool(h, false); return;
        case JSON_INTEGER: sb_hash_i64(h, json_integer_value(value)); return;
        case JSON_REAL: sb_hash_f64(h, json_real_value(value)); return;
        case JSON_STRING: sb_hash_str(h, json_string_value(value), json_string_length(value)); return;
        case JSON_ARRAY:
            json_array_foreach(value, i, item) walk(item, h);
            sb_hash_count(h, json_array_size(value));
            return;
        case JSON_OBJECT:
            json_object_keylen_foreach(value, key, key_length, item) {
                sb_hash_str(h, key, key_length);
                walk(item, h);
            }
            sb_hash_count(h, json_object_size(value));
            return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    json_error_t error;
    json_t *root = json_loadb(data, size, 0, &error);
    if (root == NULL) return sb_fail("%s at byte %d", error.text, error.position);
    walk(root, h);
    json_decref(root);
    return true;
}

bool sb_setup(void) {
    json_object_seed(12345678);
    return true;
}

const char *sb_library_version(void) { return jansson_version_str(); }
