#include <cbor.h>
#include <serbench/reader.h>

static bool hash_text(const cbor_item_t *item, sb_hash *h) {
    if (!cbor_isa_string(item) || !cbor_string_is_definite(item)) return sb_fail("not a definite string");
    sb_hash_str(h, (const char *)cbor_string_handle(item), cbor_string_length(item));
    return true;
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
        return sb_fail("unexpected simple value");
    return true;
}

static bool walk(const cbor_item_t *item, sb_hash *h) {
    switch (cbor_typeof(item)) {
        case CBOR_TYPE_UINT: sb_hash_u64(h, cbor_get_int(item)); return true;
        case CBOR_TYPE_NEGINT: {
            uint64_t number = cbor_get_int(item);
            if (number > INT64_MAX) return sb_fail("an integer below -2^63");
            sb_hash_i64(h, -1 - (int64_t)number);
            return true;
        }
        case CBOR_TYPE_STRING: return hash_text(item, h);
        case CBOR_TYPE_FLOAT_CTRL: return hash_simple(item, h);
        case CBOR_TYPE_ARRAY: {
            cbor_item_t **items = cbor_array_handle(item);
            for (size_t i = 0; i < cbor_array_size(item); i++)
                if (!walk(items[i], h)) return false;
            sb_hash_count(h, cbor_array_size(item));
            return true;
        }
        case CBOR_TYPE_MAP: {
            struct cbor_pair *pairs = cbor_map_handle(item);
            for (size_t i = 0; i < cbor_map_size(item); i++)
                if (!hash_text(pairs[i].key, h) || !walk(pairs[i].value, h)) return false;
            sb_hash_count(h, cbor_map_size(item));
            return true;
        }
        default: return sb_fail("unexpected type %d", (int)cbor_typeof(item));
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    struct cbor_load_result result;
    cbor_item_t *root = cbor_load((cbor_data)data, size, &result);
    if (root == NULL)
        return sb_fail("cbor_error_code %d at byte %zu", (int)result.error.code, result.error.position);
    bool good = result.read == size ? walk(root, h) : sb_fail("more than one item");
    cbor_decref(&root);
    return good;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CBOR_MAJOR_VERSION, CBOR_MINOR_VERSION, CBOR_PATCH_VERSION);
}
