#include <mpack.h>
#include <serbench/reader.h>

static const char *read_string(mpack_reader_t *reader, uint32_t count) {
#ifdef CHECK_UTF8
    return mpack_read_utf8_inplace(reader, count);
#else
    return mpack_read_bytes_inplace(reader, count);
#endif
}

static void element(mpack_reader_t *reader, sb_hash *h) {
    mpack_tag_t tag = mpack_read_tag(reader);
    uint32_t count;
    const char *bytes;
    switch (mpack_tag_type(&tag)) {
        case mpack_type_nil: sb_hash_nil(h); return;
        case mpack_type_bool: sb_hash_bool(h, mpack_tag_bool_value(&tag)); return;
        case mpack_type_int: sb_hash_i64(h, mpack_tag_int_value(&tag)); return;
        case mpack_type_uint: sb_hash_u64(h, mpack_tag_uint_value(&tag)); return;
        case mpack_type_float: sb_hash_f64(h, mpack_tag_float_value(&tag)); return;
        case mpack_type_double: sb_hash_f64(h, mpack_tag_double_value(&tag)); return;
        case mpack_type_str:
            count = mpack_tag_str_length(&tag);
            bytes = read_string(reader, count);
            if (mpack_reader_error(reader) == mpack_ok) sb_hash_str(h, bytes, count);
            mpack_done_str(reader);
            return;
        case mpack_type_array:
            count = mpack_tag_array_count(&tag);
            for (uint32_t i = 0; i < count && mpack_reader_error(reader) == mpack_ok; i++) element(reader, h);
            mpack_done_array(reader);
            sb_hash_count(h, count);
            return;
        case mpack_type_map:
            count = mpack_tag_map_count(&tag);
            for (uint32_t i = 0; i < count && mpack_reader_error(reader) == mpack_ok; i++) {
                element(reader, h);
                element(reader, h);
            }
            mpack_done_map(reader);
            sb_hash_count(h, count);
            return;
        default: mpack_reader_flag_error(reader, mpack_error_type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, size);
    element(&reader, h);
    mpack_error_t error = mpack_reader_destroy(&reader);
    return error == mpack_ok || sb_fail("%s", mpack_error_to_string(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
