#include <json-builder.h>
#include <serbench/writer.h>

static json_value *convert(const sb_value *value);

/* The container with its elements, which it owns from then on; NULL if one was refused. */
static json_value *fill(json_value *container, const sb_value *value) {
    for (uint32_t i = 0; i < value->length && container != NULL; i++) {
        const sb_member *member = value->type == SB_MAP ? &value->as.members[i] : NULL;
        json_value *child = convert(member != NULL ? &member->value : &value->as.items[i]);
        json_value *pushed = NULL;
        if (child != NULL && member != NULL)
            pushed = json_object_push_length(container, member->key_length, member->key, child);
        else if (child != NULL)
            pushed = json_array_push(container, child);
        if (pushed != NULL) continue;
        json_builder_free(child);
        json_builder_free(container);
        return NULL;
    }
    return container;
}

static json_value *convert(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return json_null_new();
        case SB_BOOL: return json_boolean_new(value->as.boolean);
        case SB_I64: /* it negates what it prints, which -2^63 does not survive */
            return value->as.i64 > INT64_MIN ? json_integer_new(value->as.i64) : NULL;
        case SB_U64: return value->as.u64 <= INT64_MAX ? json_integer_new((json_int_t)value->as.u64) : NULL;
        case SB_F64: return json_double_new(value->as.f64);
        case SB_STR: return json_string_new_length(value->length, value->as.str);
        case SB_ARRAY: return fill(json_array_new(value->length), value);
        default: return fill(json_object_new(value->length), value);
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    json_serialize_opts options = {.mode = json_serialize_mode_packed};
    json_value *tree = convert(root);
    if (tree == NULL) return sb_fail("an integer beyond +-(2^63 - 1), or memory ran out");
    json_char *text = malloc(json_measure_ex(tree, options));
    if (text != NULL) {
        json_serialize_ex(text, tree, options);
        sb_output_block(out, text, strlen(text));
        free(text);
    }
    json_builder_free(tree);
    return text != NULL || sb_fail("out of memory");
}

const char *sb_library_version(void) { return ""; }
