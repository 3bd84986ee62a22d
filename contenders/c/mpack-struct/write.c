#include <mpack.h>
#include <serbench/struct_writer.h>

#define SCALAR(name, call) \
    static inline void write_##name(mpack_writer_t *writer, const data_##name *it) { call(writer, *it); }

SCALAR(boolean, mpack_write_bool)
SCALAR(int32, mpack_write_i32)
SCALAR(uint32, mpack_write_u32)
SCALAR(int64, mpack_write_i64)
SCALAR(uint64, mpack_write_u64)
SCALAR(double, mpack_write_double)

static inline void write_string(mpack_writer_t *writer, const data_string *it) {
    mpack_write_str(writer, it->data, (uint32_t)it->size);
}

#define NULLABLE(name, inner)                                                        \
    static inline void write_##name(mpack_writer_t *writer, const data_##name *it) { \
        if (it->there)                                                               \
            write_##inner(writer, &it->value);                                       \
        else                                                                         \
            mpack_write_nil(writer);                                                 \
    }

#define LIST(name, inner)                                                            \
    static inline void write_##name(mpack_writer_t *writer, const data_##name *it) { \
        mpack_start_array(writer, (uint32_t)it->count);                              \
        for (size_t i = 0; i < it->count; i++) write_##inner(writer, &it->items[i]); \
        mpack_finish_array(writer);                                                  \
    }

#define MAP(name, entry, inner)                                                      \
    static inline void write_##name(mpack_writer_t *writer, const data_##name *it) { \
        mpack_start_map(writer, (uint32_t)it->count);                                \
        for (size_t i = 0; i < it->count; i++) {                                     \
            write_string(writer, &it->items[i].key);                                 \
            write_##inner(writer, &it->items[i].value);                              \
        }                                                                            \
        mpack_finish_map(writer);                                                    \
    }

#define COUNT(name, type, key, size) count++;
#define MAY_COUNT(name, type, key, size) count += it->name.there;
#define PUT(name, type, key, size)      \
    mpack_write_str(writer, key, size); \
    write_##type(writer, &it->name);
#define MAY_PUT(name, type, key, size)         \
    if (it->name.there) {                      \
        mpack_write_str(writer, key, size);    \
        write_##type(writer, &it->name.value); \
    }

#define MESSAGE(name)                                                                \
    static inline void write_##name(mpack_writer_t *writer, const data_##name *it) { \
        uint32_t count = 0;                                                          \
        (void)it;                                                                    \
        DATA_FIELDS_##name(COUNT, MAY_COUNT) mpack_start_map(writer, count);         \
        DATA_FIELDS_##name(PUT, MAY_PUT) mpack_finish_map(writer);                   \
    }

DATA_TYPES(LIST, MAP, NULLABLE, MESSAGE)

bool sb_write_struct(const data_root *root, sb_output *out) {
    char *data = NULL;
    size_t size = 0;
    mpack_writer_t writer;
    mpack_writer_init_growable(&writer, &data, &size);
    SB_OF_ROOT(write_)(&writer, root);
    mpack_error_t error = mpack_writer_destroy(&writer);
    if (error != mpack_ok) return sb_fail("%s", mpack_error_to_string(error));
    sb_output_block(out, data, size);
    MPACK_FREE(data);
    return true;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
