#include <mpack.h>
#include <serbench/reader.h>

#include "data.h"

/* After an error every function leaves something that can be freed. */
#define SCALAR(name, call) \
    static inline void read_##name(mpack_reader_t *reader, data_##name *to) { *to = call(reader); }

SCALAR(boolean, mpack_expect_bool)
SCALAR(int32, mpack_expect_i32)
SCALAR(uint32, mpack_expect_u32)
SCALAR(int64, mpack_expect_i64)
SCALAR(uint64, mpack_expect_u64)
SCALAR(double, mpack_expect_double)

static inline void read_string(mpack_reader_t *reader, data_string *to) {
    to->size = mpack_expect_str(reader);
    to->data = mpack_read_bytes_alloc(reader, to->size);
    mpack_done_str(reader);
}

/* The most elements that the rest of the input can have. */
static inline uint32_t most(mpack_reader_t *reader) {
    const size_t rest = mpack_reader_remaining(reader, NULL);
    return rest < UINT32_MAX ? (uint32_t)rest : UINT32_MAX;
}

static inline bool is_good(const mpack_reader_t *reader) { return mpack_reader_error(reader) == mpack_ok; }

#define NULLABLE(name, inner)                                                 \
    static inline void read_##name(mpack_reader_t *reader, data_##name *to) { \
        mpack_tag_t next = mpack_peek_tag(reader);                            \
        to->there = mpack_tag_type(&next) != mpack_type_nil;                  \
        if (to->there)                                                        \
            read_##inner(reader, &to->value);                                 \
        else                                                                  \
            mpack_expect_nil(reader);                                         \
    }

#define LIST(name, inner)                                                                           \
    static inline void read_##name(mpack_reader_t *reader, data_##name *to) {                       \
        uint32_t count;                                                                             \
        to->count = 0;                                                                              \
        to->items = mpack_expect_array_alloc(reader, data_##inner, most(reader), &count);           \
        while (to->count < count && is_good(reader)) read_##inner(reader, &to->items[to->count++]); \
        mpack_done_array(reader);                                                                   \
    }

#define MAP(name, entry, inner)                                                     \
    static inline void read_##name(mpack_reader_t *reader, data_##name *to) {       \
        const uint32_t count = mpack_expect_map_max(reader, most(reader));          \
        to->count = 0;                                                              \
        to->items = MPACK_MALLOC((count + (size_t)1) * sizeof *to->items);          \
        if (to->items == NULL) mpack_reader_flag_error(reader, mpack_error_memory); \
        while (to->count < count && is_good(reader)) {                              \
            data_##entry *item = &to->items[to->count++];                           \
            read_string(reader, &item->key);                                        \
            read_##inner(reader, &item->value);                                     \
        }                                                                           \
        mpack_done_map(reader);                                                     \
    }

#define KEY(name, type, key, size) key_##name,
#define TEXT(name, type, key, size) key,
#define TAKE(name, type, key, size) \
    case key_##name: read_##type(reader, &to->name); break;
#define MAY_TAKE(name, type, key, size)       \
    case key_##name:                          \
        to->name.there = true;                \
        read_##type(reader, &to->name.value); \
        break;
#define NEED(name, type, key, size) &&found[key_##name]
#define NO_NEED(name, type, key, size)

#define MESSAGE(name)                                                                                     \
    static inline void read_##name(mpack_reader_t *reader, data_##name *to) {                             \
        enum { DATA_FIELDS_##name(KEY, KEY) keys };                                                       \
        static const char *texts[] = {DATA_FIELDS_##name(TEXT, TEXT) NULL};                               \
        bool found[keys + 1] = {false};                                                                   \
        memset(to, 0, sizeof *to);                                                                        \
        const uint32_t count = mpack_expect_map(reader);                                                  \
        for (uint32_t i = 0; i < count && is_good(reader); i++) {                                         \
            switch (mpack_expect_key_cstr(reader, texts, found, keys)) {                                  \
                DATA_FIELDS_##name(TAKE, MAY_TAKE) default : mpack_discard(reader);                       \
            }                                                                                             \
        }                                                                                                 \
        mpack_done_map(reader);                                                                           \
        if (!(true DATA_FIELDS_##name(NEED, NO_NEED))) mpack_reader_flag_error(reader, mpack_error_data); \
    }

DATA_TYPES(LIST, MAP, NULLABLE, MESSAGE)

bool sb_read(char *data, size_t size, sb_hash *h) {
    data_root root;
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, size);
    SB_OF_ROOT(read_)(&reader, &root);
    mpack_error_t error = mpack_reader_destroy(&reader);
    if (error == mpack_ok) SB_OF_ROOT(data_hash_)(h, &root);
    SB_OF_ROOT(data_free_)(&root);
    return error == mpack_ok || sb_fail("%s", mpack_error_to_string(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(MPACK_VERSION_MAJOR, MPACK_VERSION_MINOR, MPACK_VERSION_PATCH);
}
