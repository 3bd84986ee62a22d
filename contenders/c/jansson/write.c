#include <jansson.h>
#include <serbench/writer.h>
#include <stdlib.h>

#ifndef FLAGS /* of json_dumps: a variant has others */
#define FLAGS JSON_COMPACT
#endif

/* A null value in a container, which stands for a failure below, makes the container fail too. */
static json_t *convert(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return json_null();
        case SB_BOOL: return json_boolean(value->as.boolean);
        case SB_I64: return json_integer(value->as.i64);
        case SB_U64: return value->as.u64 <= INT64_MAX ? json_integer((json_int_t)value->as.u64) : NULL;
        case SB_F64: return json_real(value->as.f64);
        case SB_STR: return json_stringn(value->as.str, value->length);
        default: break;
    }
    bool map = value->type == SB_MAP;
    json_t *container = map ? json_object() : json_array();
    int failed = container == NULL;
    for (uint32_t i = 0; i < value->length && !failed; i++) {
        if (map) {
            const sb_member *member = &value->as.members[i];
            failed =
                json_object_setn_new(container, member->key, member->key_length, convert(&member->value));
        } else {
            failed = json_array_append_new(container, convert(&value->as.items[i]));
        }
    }
    if (!failed) return container;
    json_decref(container);
    return NULL;
}

bool sb_write(const sb_value *root, sb_output *out) {
    json_t *tree = convert(root);
    if (tree == NULL) return sb_fail("a value was refused, or memory ran out");
    char *text = json_dumps(tree, FLAGS);
    json_decref(tree);
    if (text == NULL) return sb_fail("json_dumps failed");
    sb_output_block(out, text, strlen(text));
    free(text);
    return true;
}

bool sb_setup(void) {
    json_object_seed(12345678);
    return true;
}

const char *sb_library_version(void) { return jansson_version_str(); }
