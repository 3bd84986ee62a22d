#include <mpack.h>
#include <serbench/lookup.h>

/* A step that leads nowhere flags an error, after which every node is nil. */
static mpack_node_t follow(mpack_node_t node, const sb_path *path) {
    for (uint32_t i = 0; i < path->length; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR)
            node = mpack_node_map_str(node, step->as.str, step->length);
        else
            node = mpack_node_array_at(node, (size_t)step->as.u64);
    }
    return node;
}

static bool hash_scalar(mpack_node_t node, sb_hash *h) {
    switch (mpack_node_type(node)) {
        case mpack_type_nil: sb_hash_nil(h); return true;
        case mpack_type_bool: sb_hash_bool(h, mpack_node_bool(node)); return true;
        case mpack_type_int: sb_hash_i64(h, mpack_node_i64(node)); return true;
        case mpack_type_uint: sb_hash_u64(h, mpack_node_u64(node)); return true;
        case mpack_type_float:
        case mpack_type_double: sb_hash_f64(h, mpack_node_double(node)); return true;
        case mpack_type_str: sb_hash_str(h, mpack_node_str(node), mpack_node_strlen(node)); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    mpack_tree_t tree;
    mpack_tree_init_data(&tree, data, size);
    mpack_tree_parse(&tree);
    mpack_error_t error = mpack_tree_error(&tree);
    bool good = error == mpack_ok || sb_fail("%s", mpack_error_to_string(error));
    for (size_t i = 0; i < count && good; i++) {
        good = hash_scalar(follow(mpack_tree_root(&tree), &paths[i]), h);
        good = (good && mpack_tree_error(&tree) == mpack_ok) || sb_missing(&paths[i]);
    }
    (void)mpack_tree_destroy(&tree);
    return good;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
