#include <cwpack.h>
#include <serbench/lookup.h>

/* Goes on from a map's head to the value of a key. */
static bool find_key(cw_unpack_context *unpack, const sb_value *key) {
    for (uint32_t left = unpack->item.as.map.size; left > 0; left--) {
        cw_unpack_next(unpack);
        if (unpack->return_code != CWP_RC_OK) return false;
        const cwpack_blob *text = &unpack->item.as.str;
        if (unpack->item.type == CWP_ITEM_STR && text->length == key->length &&
            memcmp(text->start, key->as.str, key->length) == 0)
            return true;
        cw_skip_items(unpack, 1);
    }
    return false;
}

/* What a path leads to is the context's item. */
static bool follow(cw_unpack_context *unpack, const sb_path *path) {
    cw_unpack_next(unpack);
    for (uint32_t i = 0; i < path->length && unpack->return_code == CWP_RC_OK; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR) {
            if (unpack->item.type != CWP_ITEM_MAP || !find_key(unpack, step)) return false;
        } else {
            if (unpack->item.type != CWP_ITEM_ARRAY || step->as.u64 >= unpack->item.as.array.size)
                return false;
            cw_skip_items(unpack, (long)step->as.u64);
        }
        cw_unpack_next(unpack);
    }
    return unpack->return_code == CWP_RC_OK;
}

static bool hash_scalar(const cwpack_item *item, sb_hash *h) {
    switch (item->type) {
        case CWP_ITEM_NIL: sb_hash_nil(h); return true;
        case CWP_ITEM_BOOLEAN: sb_hash_bool(h, item->as.boolean); return true;
        case CWP_ITEM_POSITIVE_INTEGER: sb_hash_u64(h, item->as.u64); return true;
        case CWP_ITEM_NEGATIVE_INTEGER: sb_hash_i64(h, item->as.i64); return true;
        case CWP_ITEM_FLOAT: sb_hash_f64(h, item->as.real); return true;
        case CWP_ITEM_DOUBLE: sb_hash_f64(h, item->as.long_real); return true;
        case CWP_ITEM_STR: sb_hash_str(h, item->as.str.start, item->as.str.length); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    for (size_t i = 0; i < count; i++) {
        cw_unpack_context unpack;
        cw_unpack_context_init(&unpack, data, size, NULL);
        if (unpack.return_code != CWP_RC_OK) return sb_fail("unpacking failed with %d", unpack.return_code);
        if (!follow(&unpack, &paths[i]) || !hash_scalar(&unpack.item, h)) return sb_missing(&paths[i]);
    }
    return true;
}

const char *sb_library_version(void) { return ""; }
