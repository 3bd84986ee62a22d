/* The structs that harness/c/plain.py lists for a schema: how each is made of the value tree, before the
 * clock runs, how every field is hashed with its key, in the schema's order, and how it is freed.
 *
 * Type `x` is data_x, with data_make_x, data_hash_x and data_free_x. What a library does with each type it
 * defines by macros of its own, which DATA_TYPES and DATA_FIELDS_... are called with. */
#ifndef SERBENCH_TYPED_H
#define SERBENCH_TYPED_H

#include <serbench/contender.h>
#include <serbench/value.h>
#include <stdlib.h>

/* A string, which may have any byte in it; a NUL, which is not counted, stands behind it. */
typedef struct data_string {
    char *data;
    size_t size;
} data_string;

typedef bool data_boolean;
typedef int32_t data_int32;
typedef uint32_t data_uint32;
typedef int64_t data_int64;
typedef uint64_t data_uint64;
typedef double data_double;

#define SB_SCALAR(name, fits, value, call)                                                   \
    static inline bool data_make_##name(const sb_value *from, data_##name *to) {             \
        if (!(fits)) return false;                                                           \
        *to = (data_##name)(value);                                                          \
        return true;                                                                         \
    }                                                                                        \
    static inline void data_hash_##name(sb_hash *h, const data_##name *it) { call(h, *it); } \
    static inline void data_free_##name(data_##name *it) { (void)it; }

#define SB_IS_INTEGER (from->type == SB_U64 || from->type == SB_I64)
#define SB_INTEGER (from->type == SB_U64 ? from->as.u64 : (uint64_t)from->as.i64)
#define SB_DOUBLE \
    (from->type == SB_F64 ? from->as.f64 : from->type == SB_U64 ? (double)from->as.u64 : (double)from->as.i64)

SB_SCALAR(boolean, from->type == SB_BOOL, from->as.boolean, sb_hash_bool)
SB_SCALAR(int32, SB_IS_INTEGER, SB_INTEGER, sb_hash_i64)
SB_SCALAR(uint32, SB_IS_INTEGER, SB_INTEGER, sb_hash_u64)
SB_SCALAR(int64, SB_IS_INTEGER, SB_INTEGER, sb_hash_i64)
SB_SCALAR(uint64, SB_IS_INTEGER, SB_INTEGER, sb_hash_u64)
SB_SCALAR(double, SB_IS_INTEGER || from->type == SB_F64, SB_DOUBLE, sb_hash_f64)

static inline bool data_copy(const char *bytes, size_t size, data_string *to) {
    to->data = malloc(size + 1);
    if (to->data == NULL) return false;
    memcpy(to->data, bytes, size);
    to->data[size] = '\0';
    to->size = size;
    return true;
}

static inline bool data_make_string(const sb_value *from, data_string *to) {
    return from->type == SB_STR && data_copy(from->as.str, from->length, to);
}

static inline void data_hash_string(sb_hash *h, const data_string *it) { sb_hash_str(h, it->data, it->size); }
static inline void data_free_string(data_string *it) { free(it->data); }

/* What is null if it is not `there`. */
#define SB_NULLABLE(name, inner)                                                 \
    typedef struct data_##name {                                                 \
        bool there;                                                              \
        data_##inner value;                                                      \
    } data_##name;                                                               \
    static inline bool data_make_##name(const sb_value *from, data_##name *to) { \
        to->there = from->type != SB_NIL;                                        \
        return !to->there || data_make_##inner(from, &to->value);                \
    }                                                                            \
    static inline void data_hash_##name(sb_hash *h, const data_##name *it) {     \
        if (it->there)                                                           \
            data_hash_##inner(h, &it->value);                                    \
        else                                                                     \
            sb_hash_nil(h);                                                      \
    }                                                                            \
    static inline void data_free_##name(data_##name *it) {                       \
        if (it->there) data_free_##inner(&it->value);                            \
    }

#define SB_LIST(name, inner)                                                           \
    typedef struct data_##name {                                                       \
        size_t count;                                                                  \
        data_##inner *items;                                                           \
    } data_##name;                                                                     \
    static inline bool data_make_##name(const sb_value *from, data_##name *to) {       \
        if (from->type != SB_ARRAY) return false;                                      \
        to->items = calloc(from->length + (size_t)1, sizeof *to->items);               \
        if (to->items == NULL) return false;                                           \
        while (to->count < from->length) {                                             \
            size_t at = to->count++;                                                   \
            if (!data_make_##inner(&from->as.items[at], &to->items[at])) return false; \
        }                                                                              \
        return true;                                                                   \
    }                                                                                  \
    static inline void data_hash_##name(sb_hash *h, const data_##name *it) {           \
        for (size_t i = 0; i < it->count; i++) data_hash_##inner(h, &it->items[i]);    \
        sb_hash_count(h, it->count);                                                   \
    }                                                                                  \
    static inline void data_free_##name(data_##name *it) {                             \
        for (size_t i = 0; i < it->count; i++) data_free_##inner(&it->items[i]);       \
        free(it->items);                                                               \
    }

/* An object whose keys are data, in their order: a list of `entry`. */
#define SB_MAP(name, entry, inner)                                                     \
    typedef struct data_##entry {                                                      \
        data_string key;                                                               \
        data_##inner value;                                                            \
    } data_##entry;                                                                    \
    typedef struct data_##name {                                                       \
        size_t count;                                                                  \
        data_##entry *items;                                                           \
    } data_##name;                                                                     \
    static inline bool data_make_##name(const sb_value *from, data_##name *to) {       \
        if (from->type != SB_MAP) return false;                                        \
        to->items = calloc(from->length + (size_t)1, sizeof *to->items);               \
        if (to->items == NULL) return false;                                           \
        while (to->count < from->length) {                                             \
            const sb_member *member = &from->as.members[to->count];                    \
            data_##entry *item = &to->items[to->count++];                              \
            if (!data_copy(member->key, member->key_length, &item->key)) return false; \
            if (!data_make_##inner(&member->value, &item->value)) return false;        \
        }                                                                              \
        return true;                                                                   \
    }                                                                                  \
    static inline void data_hash_##name(sb_hash *h, const data_##name *it) {           \
        for (size_t i = 0; i < it->count; i++) {                                       \
            data_hash_string(h, &it->items[i].key);                                    \
            data_hash_##inner(h, &it->items[i].value);                                 \
        }                                                                              \
        sb_hash_count(h, it->count);                                                   \
    }                                                                                  \
    static inline void data_free_##name(data_##name *it) {                             \
        for (size_t i = 0; i < it->count; i++) {                                       \
            data_free_string(&it->items[i].key);                                       \
            data_free_##inner(&it->items[i].value);                                    \
        }                                                                              \
        free(it->items);                                                               \
    }

static inline bool data_is_next(const sb_value *from, uint32_t at, const char *key, size_t size) {
    if (at == from->length) return false;
    const sb_member *member = &from->as.members[at];
    return member->key_length == size && memcmp(member->key, key, size) == 0;
}

#define SB_HAVE(name, type, key, size) data_##type name;
#define SB_MAY_HAVE(name, type, key, size) \
    struct {                               \
        bool there;                        \
        data_##type value;                 \
    } name;

#define SB_MAKE(name, type, key, size)                    \
    if (!data_is_next(from, at, key, size)) return false; \
    if (!data_make_##type(&from->as.members[at++].value, &to->name)) return false;
#define SB_MAY_MAKE(name, type, key, size)                           \
    if (data_is_next(from, at, key, size)) {                         \
        to->name.there = true;                                       \
        const sb_value *value = &from->as.members[at++].value;       \
        if (!data_make_##type(value, &to->name.value)) return false; \
    }

#define SB_HASH(name, type, key, size) \
    sb_hash_str(h, key, size);         \
    data_hash_##type(h, &it->name);    \
    count++;
#define SB_MAY_HASH(name, type, key, size)    \
    if (it->name.there) {                     \
        sb_hash_str(h, key, size);            \
        data_hash_##type(h, &it->name.value); \
        count++;                              \
    }

#define SB_FREE(name, type, key, size) data_free_##type(&it->name);
#define SB_MAY_FREE(name, type, key, size) \
    if (it->name.there) data_free_##type(&it->name.value);

#define SB_MESSAGE(name)                                                         \
    typedef struct data_##name {                                                 \
        DATA_FIELDS_##name(SB_HAVE, SB_MAY_HAVE)                                 \
    } data_##name;                                                               \
    static inline bool data_make_##name(const sb_value *from, data_##name *to) { \
        uint32_t at = 0;                                                         \
        (void)to;                                                                \
        if (from->type != SB_MAP) return false;                                  \
        DATA_FIELDS_##name(SB_MAKE, SB_MAY_MAKE) return at == from->length;      \
    }                                                                            \
    static inline void data_hash_##name(sb_hash *h, const data_##name *it) {     \
        size_t count = 0;                                                        \
        (void)it;                                                                \
        DATA_FIELDS_##name(SB_HASH, SB_MAY_HASH) sb_hash_count(h, count);        \
    }                                                                            \
    static inline void data_free_##name(data_##name *it) {                       \
        (void)it;                                                                \
        DATA_FIELDS_##name(SB_FREE, SB_MAY_FREE)                                 \
    }

/* The name of the root's own, such as SB_OF_ROOT(data_free_). */
#define SB_JOINED(prefix, name) prefix##name
#define SB_JOIN(prefix, name) SB_JOINED(prefix, name)
#define SB_OF_ROOT(prefix) SB_JOIN(prefix, DATA_ROOT)

#endif
