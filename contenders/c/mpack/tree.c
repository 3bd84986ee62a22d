#include <mpack.h>
#include <serbench/reader.h>

static void walk(mpack_node_t node, sb_hash *h) {
    switch (mpack_node_type(node)) {
        case mpack_type_nil: sb_hash_nil(h); return;
        case mpack_type_bool: sb_hash_bool(h, mpack_node_bool(node)); return;
        case mpack_type_int: sb_hash_i64(h, mpack_node_i64(node)); return;
        case mpack_type_uint: sb_hash_u64(h, mpack_node_u64(node)); return;
        case mpack_type_float:
        case mpack_type_double: sb_hash_f64(h, mpack_node_double(node)); return;
        case mpack_type_str:
#ifdef CHECK_UTF8
            mpack_node_check_utf8(node); /* flags an error, after which the string is empty */
#endif
            sb_hash_str(h, mpack_node_str(node), mpack_node_strlen(node));
            return;
        case mpack_type_array:
            for (size_t i = 0; i < mpack_node_array_length(node); i++) walk(mpack_node_array_at(node, i), h);
            sb_hash_count(h, mpack_node_array_length(node));
            return;
        case mpack_type_map:
            for (size_t i = 0; i < mpack_node_map_count(node); i++) {
                walk(mpack_node_map_key_at(node, i), h);
                walk(mpack_node_map_value_at(node, i), h);
            }
            sb_hash_count(h, mpack_node_map_count(node));
            return;
        default: mpack_node_flag_error(node, mpack_error_type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    mpack_tree_t tree;
    mpack_tree_init_data(&tree, data, size);
    mpack_tree_parse(&tree);
    walk(mpack_tree_root(&tree), h);
    mpack_error_t error = mpack_tree_destroy(&tree);
    return error == mpack_ok || sb_fail("%s", mpack_error_to_string(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
