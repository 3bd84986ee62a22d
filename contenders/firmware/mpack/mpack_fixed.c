#include <firmware.h>
#include <mpack.h>

/* The Node API with a pool, and the Writer with a buffer: what the manual gives for fixed memory. */

#ifndef FW_NODES
#define FW_NODES (FW_ARENA / sizeof(mpack_node_data_t))
#endif

static mpack_node_data_t pool[FW_NODES];
static mpack_tree_t tree;

bool fw_read(const char *data, size_t size) {
    mpack_tree_init_pool(&tree, data, size, pool, FW_NODES);
    mpack_tree_parse(&tree);
    return mpack_tree_error(&tree) == mpack_ok;
}

static void walk(mpack_node_t node) {
    switch (mpack_node_type(node)) {
        case mpack_type_nil: sb_hash_nil(&fw_sum); return;
        case mpack_type_bool: sb_hash_bool(&fw_sum, mpack_node_bool(node)); return;
        case mpack_type_int: sb_hash_i64(&fw_sum, mpack_node_i64(node)); return;
        case mpack_type_uint: sb_hash_u64(&fw_sum, mpack_node_u64(node)); return;
        case mpack_type_float: sb_hash_f64(&fw_sum, (double)mpack_node_float(node)); return;
        case mpack_type_str: sb_hash_str(&fw_sum, mpack_node_str(node), mpack_node_strlen(node)); return;
        case mpack_type_array:
            for (size_t i = 0; i < mpack_node_array_length(node); i++) walk(mpack_node_array_at(node, i));
            sb_hash_count(&fw_sum, mpack_node_array_length(node));
            return;
        case mpack_type_map:
            for (size_t i = 0; i < mpack_node_map_count(node); i++) {
                walk(mpack_node_map_key_at(node, i));
                walk(mpack_node_map_value_at(node, i));
            }
            sb_hash_count(&fw_sum, mpack_node_map_count(node));
            return;
        default: mpack_node_flag_error(node, mpack_error_type);
    }
}

bool fw_walk(void) {
    walk(mpack_tree_root(&tree));
    return mpack_tree_error(&tree) == mpack_ok;
}

void fw_release(void) { (void)mpack_tree_destroy(&tree); }

size_t fw_pool(void) { return tree.node_count * sizeof(mpack_node_data_t); }

static void put(mpack_writer_t *writer, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: mpack_write_nil(writer); return;
        case SB_BOOL: mpack_write_bool(writer, value->as.boolean); return;
        case SB_I64: mpack_write_i64(writer, value->as.i64); return;
        case SB_U64: mpack_write_u64(writer, value->as.u64); return;
        case SB_F64: mpack_write_float(writer, (float)value->as.f64); return;
        case SB_STR: mpack_write_str(writer, value->as.str, value->length); return;
        case SB_ARRAY:
            mpack_start_array(writer, value->length);
            for (uint32_t i = 0; i < value->length; i++) put(writer, &value->as.items[i]);
            mpack_finish_array(writer);
            return;
        case SB_MAP:
            mpack_start_map(writer, value->length);
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                mpack_write_str(writer, member->key, member->key_length);
                put(writer, &member->value);
            }
            mpack_finish_map(writer);
            return;
    }
}

size_t fw_write(char *out, size_t capacity) {
    mpack_writer_t writer;
    mpack_writer_init(&writer, out, capacity);
    put(&writer, &fw_tree);
    size_t size = mpack_writer_buffer_used(&writer);
    return mpack_writer_destroy(&writer) == mpack_ok ? size : 0;
}

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *fw_version(void) {
    return VERSION(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
