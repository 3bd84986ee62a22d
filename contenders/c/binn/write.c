#include <serbench/writer.h>
/* Binn 3.0 forgot to include what declares size_t. */
#include <binn.h>

static bool fill(binn *container, const sb_value *value);

/* Binn takes strings without const, and as C strings. */
static bool add(binn *list, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return binn_list_add_null(list);
        case SB_BOOL: return binn_list_add_bool(list, value->as.boolean);
        case SB_I64: return binn_list_add_int64(list, value->as.i64);
        case SB_U64: return binn_list_add_uint64(list, value->as.u64);
        case SB_F64: return binn_list_add_double(list, value->as.f64);
        case SB_STR: return binn_list_add_str(list, (char *)value->as.str);
        default: break;
    }
    binn *child = value->type == SB_MAP ? binn_object() : binn_list();
    bool good = child != NULL && fill(child, value) && binn_list_add_value(list, child);
    binn_free(child);
    return good;
}

static bool set(binn *object, char *key, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return binn_object_set_null(object, key);
        case SB_BOOL: return binn_object_set_bool(object, key, value->as.boolean);
        case SB_I64: return binn_object_set_int64(object, key, value->as.i64);
        case SB_U64: return binn_object_set_uint64(object, key, value->as.u64);
        case SB_F64: return binn_object_set_double(object, key, value->as.f64);
        case SB_STR: return binn_object_set_str(object, key, (char *)value->as.str);
        default: break;
    }
    binn *child = value->type == SB_MAP ? binn_object() : binn_list();
    bool good = child != NULL && fill(child, value) && binn_object_set_value(object, key, child);
    binn_free(child);
    return good;
}

static bool fill(binn *container, const sb_value *value) {
    bool good = true;
    for (uint32_t i = 0; i < value->length && good; i++) {
        if (value->type == SB_MAP) {
            const sb_member *member = &value->as.members[i];
            good = set(container, (char *)member->key, &member->value);
        } else {
            good = add(container, &value->as.items[i]);
        }
    }
    return good;
}

bool sb_write(const sb_value *root, sb_output *out) {
    binn *document = root->type == SB_MAP ? binn_object() : binn_list();
    bool good = document != NULL && fill(document, root);
    if (good) sb_output_block(out, binn_ptr(document), (size_t)binn_size(document));
    binn_free(document);
    return good || sb_fail("a key above 255 bytes, or memory ran out");
}

#ifdef BINN_VERSION
const char *sb_library_version(void) { return binn_version(); }
#else /* before 3.0 it did not tell */
const char *sb_library_version(void) { return ""; }
#endif
