#include <cbor.h>
#include <serbench/lookup.h>

static bool is_text(const cbor_item_t *item) {
    return cbor_isa_string(item) && cbor_string_is_definite(item);
}

/* It has no call that finds a key: its caller goes through the pairs. */
static const cbor_item_t *member(const cbor_item_t *item, const sb_value *key) {
    if (!cbor_isa_map(item)) return NULL;
    const struct cbor_pair *pairs = cbor_map_handle(item);
    for (size_t i = 0; i < cbor_map_size(item); i++)
        if (is_text(pairs[i].key) && cbor_string_length(pairs[i].key) == key->length &&
            memcmp(cbor_string_handle(pairs[i].key), key->as.str, key->length) == 0)
            return pairs[i].value;
    return NULL;
}

static const cbor_item_t *follow(const cbor_item_t *item, const sb_path *path) {
    for (uint32_t i = 0; i < path->length && item != NULL; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR)
            item = member(item, step);
        else if (cbor_isa_array(item) && step->as.u64 < cbor_array_size(item))
            item = cbor_array_handle(item)[step->as.u64];
        else
            item = NULL;
    }
    return item;
}

/* cbor_is_null and cbor_is_bool may be asked of control values only. */
static bool hash_simple(const cbor_item_t *item, sb_hash *h) {
    if (!cbor_float_ctrl_is_ctrl(item))
        sb_hash_f64(h, cbor_float_get_float(item));
    else if (cbor_is_null(item))
        sb_hash_nil(h);
    else if (cbor_is_bool(item))
        sb_hash_bool(h, cbor_get_bool(item));
    else
        return false;
    return true;
}

static bool hash_scalar(const cbor_item_t *item, sb_hash *h) {
    if (item == NULL) return false;
    switch (cbor_typeof(item)) {
        case CBOR_TYPE_UINT: sb_hash_u64(h, cbor_get_int(item)); return true;
        case CBOR_TYPE_NEGINT:
            if (cbor_get_int(item) > INT64_MAX) return false;
            sb_hash_i64(h, -1 - (int64_t)cbor_get_int(item));
            return true;
        case CBOR_TYPE_STRING:
            if (!is_text(item)) return false;
            sb_hash_str(h, (const char *)cbor_string_handle(item), cbor_string_length(item));
            return true;
        case CBOR_TYPE_FLOAT_CTRL: return hash_simple(item, h);
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    struct cbor_load_result result;
    cbor_item_t *root = cbor_load((cbor_data)data, size, &result);
    if (root == NULL)
        return sb_fail("cbor_error_code %d at byte %zu", (int)result.error.code, result.error.position);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = hash_scalar(follow(root, &paths[i]), h) || sb_missing(&paths[i]);
    cbor_decref(&root);
    return good;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CBOR_MAJOR_VERSION, CBOR_MINOR_VERSION, CBOR_PATCH_VERSION);
}
