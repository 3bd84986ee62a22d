#include <mpack.h>
#include <serbench/writer.h>

static void put(mpack_writer_t *writer, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: mpack_write_nil(writer); return;
        case SB_BOOL: mpack_write_bool(writer, value->as.boolean); return;
        case SB_I64: mpack_write_i64(writer, value->as.i64); return;
        case SB_U64: mpack_write_u64(writer, value->as.u64); return;
        case SB_F64: mpack_write_double(writer, value->as.f64); return;
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

bool sb_write(const sb_value *root, sb_output *out) {
    char *data = NULL;
    size_t size = 0;
    mpack_writer_t writer;
    mpack_writer_init_growable(&writer, &data, &size);
    put(&writer, root);
    mpack_error_t error = mpack_writer_destroy(&writer);
    if (error != mpack_ok) return sb_fail("%s", mpack_error_to_string(error));
    sb_output_block(out, data, size);
    MPACK_FREE(data);
    return true;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
