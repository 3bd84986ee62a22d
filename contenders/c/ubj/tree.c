#include <errno.h>
#include <serbench/reader.h>
#include <stdlib.h>
#include <ubj.h>

typedef struct input {
    const char *next, *end;
} input;

static size_t read_bytes(void *data, size_t size, size_t count, void *userdata) {
    input *in = userdata;
    size_t left = (size_t)(in->end - in->next);
    size_t length = size * count < left ? size * count : left;
    memcpy(data, in->next, length);
    in->next += length;
    return length;
}

static int peek(void *userdata) {
    input *in = userdata;
    return *in->next; /* at the end, the zero byte after it */
}

static bool walk(const void *place, UBJ_TYPE type, sb_hash *h);

static bool string(const char *text, sb_hash *h) { return sb_hash_str(h, text, strlen(text)), true; }

/* The digits of an integer that needs more than 63 bits. */
static bool high_precision(const char *digits, sb_hash *h) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(digits, &end, 10);
    if (errno != 0 || *end != '\0' || digits[0] == '-') return sb_fail("not an integer of 64 bits");
    return sb_hash_u64(h, number), true;
}

/* A container of one type holds bare values of it, any other one holds ubjr_dynamic_t. */
static bool array(const ubjr_array_t *array, sb_hash *h) {
    const char *values = array->values;
    for (size_t i = 0; i < array->size; i++)
        if (!walk(values + i * ubjr_local_type_size(array->type), array->type, h)) return false;
    return sb_hash_count(h, array->size), true;
}

static bool object(const ubjr_object_t *object, sb_hash *h) {
    const char *values = object->values;
    for (size_t i = 0; i < object->size; i++) {
        string(object->keys[i], h);
        if (!walk(values + i * ubjr_local_type_size(object->type), object->type, h)) return false;
    }
    return sb_hash_count(h, object->size), true;
}

/* A ubjr_dynamic_t has its integers and its numbers in the widest form, whatever their type. */
static bool dynamic(const ubjr_dynamic_t *value, sb_hash *h) {
    switch (value->type) {
        case UBJ_INT8:
        case UBJ_UINT8:
        case UBJ_INT16:
        case UBJ_INT32: return walk(&value->integer, UBJ_INT64, h);
        case UBJ_FLOAT32: return walk(&value->real, UBJ_FLOAT64, h);
        case UBJ_MIXED: return sb_fail("corrupt data");
        default: return walk(&value->integer, value->type, h);
    }
}

static bool walk(const void *place, UBJ_TYPE type, sb_hash *h) {
    switch (type) {
        case UBJ_MIXED: return dynamic(place, h);
        case UBJ_NULLTYPE: return sb_hash_nil(h), true;
        case UBJ_BOOL_TRUE: return sb_hash_bool(h, true), true;
        case UBJ_BOOL_FALSE: return sb_hash_bool(h, false), true;
        case UBJ_INT8: return sb_hash_i64(h, *(const int8_t *)place), true;
        case UBJ_UINT8: return sb_hash_u64(h, *(const uint8_t *)place), true;
        case UBJ_INT16: return sb_hash_i64(h, *(const int16_t *)place), true;
        case UBJ_INT32: return sb_hash_i64(h, *(const int32_t *)place), true;
        case UBJ_INT64: return sb_hash_i64(h, *(const int64_t *)place), true;
        case UBJ_FLOAT32: return sb_hash_f64(h, *(const float *)place), true;
        case UBJ_FLOAT64: return sb_hash_f64(h, *(const double *)place), true;
        case UBJ_CHAR:
        case UBJ_STRING: return string(*(const ubjr_string_t *)place, h);
        case UBJ_HIGH_PRECISION: return high_precision(*(const ubjr_string_t *)place, h);
        case UBJ_ARRAY: return array(place, h);
        case UBJ_OBJECT: return object(place, h);
        default: return sb_fail("unexpected type %d", (int)type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    input in = {data, data + size};
    ubjr_context_t *ubj = ubjr_open_callback(&in, read_bytes, peek, NULL, NULL);
    ubjr_dynamic_t root = ubjr_read_dynamic(ubj);
    bool good = dynamic(&root, h);
    ubjr_cleanup_dynamic(&root);
    ubjr_close_context(ubj);
    return good;
}

const char *sb_library_version(void) { return ""; }
