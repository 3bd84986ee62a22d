#include <json.h>
#include <serbench/reader.h>

static void walk(const json_value *value, sb_hash *h) {
    switch (value->type) {
        case json_null: sb_hash_nil(h); return;
        case json_boolean: sb_hash_bool(h, value->u.boolean); return;
        case json_integer: sb_hash_i64(h, value->u.integer); return;
        case json_double: sb_hash_f64(h, value->u.dbl); return;
        case json_string: sb_hash_str(h, value->u.string.ptr, value->u.string.length); return;
        case json_array:
            for (unsigned i = 0; i < value->u.array.length; i++) walk(value->u.array.values[i], h);
            sb_hash_count(h, value->u.array.length);
            return;
        case json_object:
            for (unsigned i = 0; i < value->u.object.length; i++) {
                const json_object_entry *entry = &value->u.object.values[i];
                sb_hash_str(h, entry->name, entry->name_length);
                walk(entry->value, h);
            }
            sb_hash_count(h, value->u.object.length);
            return;
        case json_none: return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    json_settings settings = {0};
    char error[json_error_max] = "";
    json_value *root = json_parse_ex(&settings, data, size, error);
    if (root == NULL) return sb_fail("%s", error);
    walk(root, h);
    json_value_free(root);
    return true;
}

const char *sb_library_version(void) { return ""; }
