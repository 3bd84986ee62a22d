/* The library's values of the schema: how each type is filled from a struct, and hashed. */
#ifndef VALUES_H
#define VALUES_H

#include <avro.h>
#include <serbench/contender.h>
#include <serbench/hash.h>

#include "avsc.inc"
#include "data.h"

static avro_value_iface_t *root_class;

static inline bool failed(void) { return sb_fail("%s", avro_strerror()); }

/* The class stays until the program ends. */
bool sb_setup(void) {
    avro_schema_t schema;
    if (avro_schema_from_json_length(avsc, sizeof avsc, &schema) != 0) return failed();
    root_class = avro_generic_class_from_schema(schema);
    avro_schema_decref(schema);
    return root_class != NULL || failed();
}

/* A field that may be absent is a union with null; of one that may also be null the other branch is a record
 * of one field, `boxed`, and else the value itself. */
#define UNBOXED(name)                                                                 \
    static inline bool fill_boxed_##name(const data_##name *from, avro_value_t *to) { \
        return fill_##name(from, to);                                                 \
    }                                                                                 \
    static inline bool walk_boxed_##name(sb_hash *h, const avro_value_t *from) {      \
        return walk_##name(h, from);                                                  \
    }

#define SCALAR(name, kind, held, call)                                          \
    static inline bool fill_##name(const data_##name *from, avro_value_t *to) { \
        return avro_value_set_##kind(to, *from) == 0 || failed();               \
    }                                                                           \
    static inline bool walk_##name(sb_hash *h, const avro_value_t *from) {      \
        held value;                                                             \
        if (avro_value_get_##kind(from, &value) != 0) return failed();          \
        call(h, value);                                                         \
        return true;                                                            \
    }                                                                           \
    UNBOXED(name)

SCALAR(boolean, boolean, int, sb_hash_bool)
SCALAR(int32, int, int32_t, sb_hash_i64)
SCALAR(uint32, long, int64_t, sb_hash_i64)
SCALAR(int64, long, int64_t, sb_hash_i64)
SCALAR(double, double, double, sb_hash_f64)

/* To the library the NUL behind a string is one of its bytes. */
static inline bool fill_string(const data_string *from, avro_value_t *to) {
    return avro_value_set_string_len(to, from->data, from->size + 1) == 0 || failed();
}

static inline bool walk_string(sb_hash *h, const avro_value_t *from) {
    const char *text;
    size_t size;
    if (avro_value_get_string(from, &text, &size) != 0) return failed();
    sb_hash_str(h, text, size - 1);
    return true;
}
UNBOXED(string)

#define LIST(name, inner)                                                            \
    static inline bool fill_##name(const data_##name *from, avro_value_t *to) {      \
        for (size_t i = 0; i < from->count; i++) {                                   \
            avro_value_t item;                                                       \
            if (avro_value_append(to, &item, NULL) != 0) return failed();            \
            if (!fill_##inner(&from->items[i], &item)) return false;                 \
        }                                                                            \
        return true;                                                                 \
    }                                                                                \
    static inline bool walk_##name(sb_hash *h, const avro_value_t *from) {           \
        size_t count;                                                                \
        if (avro_value_get_size(from, &count) != 0) return failed();                 \
        for (size_t i = 0; i < count; i++) {                                         \
            avro_value_t item;                                                       \
            if (avro_value_get_by_index(from, i, &item, NULL) != 0) return failed(); \
            if (!walk_##inner(h, &item)) return false;                               \
        }                                                                            \
        sb_hash_count(h, count);                                                     \
        return true;                                                                 \
    }                                                                                \
    UNBOXED(name)

/* An array of records with a key and a value. */
#define MAP(name, entry, inner)                                                     \
    static inline bool fill_##entry(const data_##entry *from, avro_value_t *to) {   \
        avro_value_t key, value;                                                    \
        if (avro_value_get_by_index(to, 0, &key, NULL) != 0) return failed();       \
        if (avro_value_get_by_index(to, 1, &value, NULL) != 0) return failed();     \
        return fill_string(&from->key, &key) && fill_##inner(&from->value, &value); \
    }                                                                               \
    static inline bool walk_##entry(sb_hash *h, const avro_value_t *from) {         \
        avro_value_t key, value;                                                    \
        if (avro_value_get_by_index(from, 0, &key, NULL) != 0) return failed();     \
        if (avro_value_get_by_index(from, 1, &value, NULL) != 0) return failed();   \
        return walk_string(h, &key) && walk_##inner(h, &value);                     \
    }                                                                               \
    LIST(name, entry)

static inline bool fill_null(avro_value_t *to) {
    avro_value_t branch;
    return (avro_value_set_branch(to, 0, &branch) == 0 && avro_value_set_null(&branch) == 0) || failed();
}

#define NULLABLE(name, inner)                                                         \
    static inline bool fill_##name(const data_##name *from, avro_value_t *to) {       \
        avro_value_t branch;                                                          \
        if (!from->there) return fill_null(to);                                       \
        if (avro_value_set_branch(to, 1, &branch) != 0) return failed();              \
        return fill_##inner(&from->value, &branch);                                   \
    }                                                                                 \
    static inline bool walk_##name(sb_hash *h, const avro_value_t *from) {            \
        int chosen;                                                                   \
        avro_value_t branch;                                                          \
        if (avro_value_get_discriminant(from, &chosen) != 0) return failed();         \
        if (chosen == 0) {                                                            \
            sb_hash_nil(h);                                                           \
            return true;                                                              \
        }                                                                             \
        if (avro_value_get_current_branch(from, &branch) != 0) return failed();       \
        return walk_##inner(h, &branch);                                              \
    }                                                                                 \
    static inline bool fill_boxed_##name(const data_##name *from, avro_value_t *to) { \
        avro_value_t value;                                                           \
        if (avro_value_get_by_index(to, 0, &value, NULL) != 0) return failed();       \
        return fill_##name(from, &value);                                             \
    }                                                                                 \
    static inline bool walk_boxed_##name(sb_hash *h, const avro_value_t *from) {      \
        avro_value_t value;                                                           \
        if (avro_value_get_by_index(from, 0, &value, NULL) != 0) return failed();     \
        return walk_##name(h, &value);                                                \
    }

#define FILL(name, type, key, size)                                            \
    if (avro_value_get_by_index(to, at++, &field, NULL) != 0) return failed(); \
    if (!fill_##type(&from->name, &field)) return false;
#define MAY_FILL(name, type, key, size)                                        \
    if (avro_value_get_by_index(to, at++, &field, NULL) != 0) return failed(); \
    if (from->name.there) {                                                    \
        avro_value_t branch;                                                   \
        if (avro_value_set_branch(&field, 1, &branch) != 0) return failed();   \
        if (!fill_boxed_##type(&from->name.value, &branch)) return false;      \
    } else if (!fill_null(&field)) {                                           \
        return false;                                                          \
    }

#define WALK(name, type, key, size)                                              \
    if (avro_value_get_by_index(from, at++, &field, NULL) != 0) return failed(); \
    sb_hash_str(h, key, size);                                                   \
    if (!walk_##type(h, &field)) return false;                                   \
    count++;
#define MAY_WALK(name, type, key, size)                                           \
    if (avro_value_get_by_index(from, at++, &field, NULL) != 0) return failed();  \
    if (avro_value_get_discriminant(&field, &chosen) != 0) return failed();       \
    if (chosen == 1) {                                                            \
        avro_value_t branch;                                                      \
        if (avro_value_get_current_branch(&field, &branch) != 0) return failed(); \
        sb_hash_str(h, key, size);                                                \
        if (!walk_boxed_##type(h, &branch)) return false;                         \
        count++;                                                                  \
    }

#define MESSAGE(name)                                                           \
    static inline bool fill_##name(const data_##name *from, avro_value_t *to) { \
        avro_value_t field;                                                     \
        size_t at = 0;                                                          \
        (void)from, (void)to, (void)field, (void)at;                            \
        DATA_FIELDS_##name(FILL, MAY_FILL) return true;                         \
    }                                                                           \
    static inline bool walk_##name(sb_hash *h, const avro_value_t *from) {      \
        avro_value_t field;                                                     \
        size_t at = 0, count = 0;                                               \
        int chosen;                                                             \
        (void)from, (void)field, (void)at, (void)chosen;                        \
        DATA_FIELDS_##name(WALK, MAY_WALK) sb_hash_count(h, count);             \
        return true;                                                            \
    }                                                                           \
    UNBOXED(name)

DATA_TYPES(LIST, MAP, NULLABLE, MESSAGE)

/* A new value of some bytes; false (see sb_fail), and no value, if it cannot be made. */
static inline bool decode(const char *data, size_t size, avro_value_t *root) {
    if (avro_generic_value_new(root_class, root) != 0) return failed();
    avro_reader_t reader = avro_reader_memory(data, (int64_t)size);
    const bool good = reader != NULL && avro_value_read(reader, root) == 0;
    if (reader != NULL) avro_reader_free(reader);
    if (good) return true;
    avro_value_decref(root);
    return failed();
}

/* It reports none. */
const char *sb_library_version(void) { return ""; }

#endif
