#include <firmware.h>
#include <mpack.h>

/* The Reader over data in memory, and the Writer with a buffer: neither allocates, and no tree is built. */

static void element(mpack_reader_t *reader) {
    mpack_tag_t tag = mpack_read_tag(reader);
    uint32_t count;
    const char *bytes;
    switch (mpack_tag_type(&tag)) {
        case mpack_type_nil: sb_hash_nil(&fw_sum); return;
        case mpack_type_bool: sb_hash_bool(&fw_sum, mpack_tag_bool_value(&tag)); return;
        case mpack_type_int: sb_hash_i64(&fw_sum, mpack_tag_int_value(&tag)); return;
        case mpack_type_uint: sb_hash_u64(&fw_sum, mpack_tag_uint_value(&tag)); return;
        case mpack_type_float: sb_hash_f64(&fw_sum, (double)mpack_tag_float_value(&tag)); return;
        case mpack_type_str:
            count = mpack_tag_str_length(&tag);
            bytes = mpack_read_bytes_inplace(reader, count);
            if (mpack_reader_error(reader) == mpack_ok) sb_hash_str(&fw_sum, bytes, count);
            mpack_done_str(reader);
            return;
        case mpack_type_array:
            count = mpack_tag_array_count(&tag);
            for (uint32_t i = 0; i < count && mpack_reader_error(reader) == mpack_ok; i++) element(reader);
            mpack_done_array(reader);
            sb_hash_count(&fw_sum, count);
            return;
        case mpack_type_map:
            count = mpack_tag_map_count(&tag);
            for (uint32_t i = 0; i < count && mpack_reader_error(reader) == mpack_ok; i++) {
                element(reader);
                element(reader);
            }
            mpack_done_map(reader);
            sb_hash_count(&fw_sum, count);
            return;
        default: mpack_reader_flag_error(reader, mpack_error_type);
    }
}

bool fw_read(const char *data, size_t size) {
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, size);
    element(&reader);
    bool whole = mpack_reader_remaining(&reader, NULL) == 0;
    return mpack_reader_destroy(&reader) == mpack_ok && whole;
}

bool fw_walk(void) { return true; }

void fw_release(void) {}

size_t fw_pool(void) { return 0; }

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
