#include <json.h>
#include <serbench/writer.h>

#ifdef NEW_CONSTANT_KEYS
static const unsigned HOW = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT;
#define ADD(object, key, item) json_object_object_add_ex(object, key, item, HOW)
#else
#define ADD json_object_object_add
#endif

/* A null pointer is also json-c's own null value, so a failure is told apart by the result. */
static bool convert(const sb_value *value, json_object **object) {
    bool good = true;
    switch ((sb_type)value->type) {
        case SB_NIL: *object = json_object_new_null(); return true;
        case SB_BOOL: *object = json_object_new_boolean(value->as.boolean); break;
        case SB_I64: *object = json_object_new_int64(value->as.i64); break;
        case SB_U64: *object = json_object_new_uint64(value->as.u64); break;
        case SB_F64: *object = json_object_new_double(value->as.f64); break;
        case SB_STR: *object = json_object_new_string_len(value->as.str, (int)value->length); break;
        case SB_ARRAY: *object = json_object_new_array(); break;
        default: *object = json_object_new_object();
    }
    if (*object == NULL) return false;
    bool map = value->type == SB_MAP;
    uint32_t count = map || value->type == SB_ARRAY ? value->length : 0;
    for (uint32_t i = 0; i < count && good; i++) {
        const sb_member *member = map ? &value->as.members[i] : NULL;
        json_object *item = NULL;
        good = convert(map ? &member->value : &value->as.items[i], &item);
        if (!good) break;
        good = 0 == (map ? ADD(*object, member->key, item) : json_object_array_add(*object, item));
        if (!good) json_object_put(item);
    }
    if (!good) json_object_put(*object);
    return good;
}

bool sb_write(const sb_value *root, sb_output *out) {
    json_object *object;
    size_t length = 0;
    if (!convert(root, &object)) return sb_fail("out of memory");
    const char *text = json_object_to_json_string_length(object, JSON_C_TO_STRING_PLAIN, &length);
    if (text != NULL) sb_output_block(out, text, length);
    json_object_put(object);
    return text != NULL || sb_fail("json_object_to_json_string_length failed");
}

const char *sb_library_version(void) { return json_c_version(); }
