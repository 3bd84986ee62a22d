#include <cwpack.h>
#include <serbench/reader.h>

static void element(cw_unpack_context *unpack, sb_hash *h) {
    cw_unpack_next(unpack);
    if (unpack->return_code != CWP_RC_OK) return;
    const cwpack_item item = unpack->item; /* the next item takes its place */
    switch (item.type) {
        case CWP_ITEM_NIL: sb_hash_nil(h); return;
        case CWP_ITEM_BOOLEAN: sb_hash_bool(h, item.as.boolean); return;
        case CWP_ITEM_POSITIVE_INTEGER: sb_hash_u64(h, item.as.u64); return;
        case CWP_ITEM_NEGATIVE_INTEGER: sb_hash_i64(h, item.as.i64); return;
        case CWP_ITEM_FLOAT: sb_hash_f64(h, item.as.real); return;
        case CWP_ITEM_DOUBLE: sb_hash_f64(h, item.as.long_real); return;
        case CWP_ITEM_STR: sb_hash_str(h, item.as.str.start, item.as.str.length); return;
        case CWP_ITEM_ARRAY:
            for (uint32_t i = 0; i < item.as.array.size && unpack->return_code == CWP_RC_OK; i++)
                element(unpack, h);
            sb_hash_count(h, item.as.array.size);
            return;
        case CWP_ITEM_MAP:
            for (uint32_t i = 0; i < item.as.map.size && unpack->return_code == CWP_RC_OK; i++) {
                element(unpack, h);
                element(unpack, h);
            }
            sb_hash_count(h, item.as.map.size);
            return;
        default: unpack->return_code = CWP_RC_TYPE_ERROR;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    cw_unpack_context unpack;
    cw_unpack_context_init(&unpack, data, size, NULL);
    if (unpack.return_code == CWP_RC_OK) element(&unpack, h);
    return unpack.return_code == CWP_RC_OK || sb_fail("unpacking failed with %d", unpack.return_code);
}

const char *sb_library_version(void) { return ""; }
