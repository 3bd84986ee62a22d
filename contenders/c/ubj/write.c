#include <serbench/writer.h>
#include <ubj.h>

/* ubj looks at no result of this callback, so a failure is kept here. */
typedef struct sink {
    sb_output *out;
    bool failed;
} sink;

static size_t append(const void *data, size_t size, size_t count, void *userdata) {
    sink *to = userdata;
    if (!sb_output_append(to->out, data, size * count)) to->failed = true;
    return count;
}

#ifdef OPTIMIZED
static UBJ_TYPE type_of(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return UBJ_NULLTYPE;
        case SB_BOOL: return value->as.boolean ? UBJ_BOOL_TRUE : UBJ_BOOL_FALSE;
        case SB_I64: return ubjw_min_integer_type(value->as.i64);
        case SB_U64: return ubjw_min_integer_type((int64_t)value->as.u64);
        case SB_F64: return UBJ_FLOAT64;
        case SB_STR: return UBJ_STRING;
        case SB_ARRAY: return UBJ_ARRAY;
        default: return UBJ_OBJECT;
    }
}
#endif

/* What a container of `count` values, the first of them at `values`, is opened with. */
static UBJ_TYPE common_type(const sb_value *container, size_t *count) {
    *count = 0; /* neither a type nor a count */
#ifdef OPTIMIZED
    *count = container->length;
    UBJ_TYPE common = UBJ_MIXED;
    for (uint32_t i = 0; i < container->length && container->length > 1; i++) {
        bool map = container->type == SB_MAP;
        UBJ_TYPE type = type_of(map ? &container->as.members[i].value : &container->as.items[i]);
        if (i > 0 && type != common) return UBJ_MIXED;
        common = type;
    }
    return common;
#else
    (void)container;
    return UBJ_MIXED;
#endif
}

static bool put(ubjw_context_t *ubj, const sb_value *value) {
    size_t count;
    UBJ_TYPE type;
    bool good = true;
    switch ((sb_type)value->type) {
        case SB_NIL: ubjw_write_null(ubj); return true;
        case SB_BOOL: ubjw_write_bool(ubj, value->as.boolean); return true;
        case SB_I64: ubjw_write_integer(ubj, value->as.i64); return true;
        case SB_U64:
            if (value->as.u64 > INT64_MAX) return sb_fail("an integer above 2^63 - 1");
            ubjw_write_integer(ubj, (int64_t)value->as.u64);
            return true;
        case SB_F64: ubjw_write_float64(ubj, value->as.f64); return true;
        case SB_STR: ubjw_write_string(ubj, value->as.str); return true;
        case SB_ARRAY:
            type = common_type(value, &count);
            ubjw_begin_array(ubj, type, count);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(ubj, &value->as.items[i]);
            ubjw_end(ubj);
            return good;
        default:
            type = common_type(value, &count);
            ubjw_begin_object(ubj, type, count);
            for (uint32_t i = 0; i < value->length && good; i++) {
                ubjw_write_key(ubj, value->as.members[i].key);
                good = put(ubj, &value->as.members[i].value);
            }
            ubjw_end(ubj);
            return good;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    sink to = {out, false};
    ubjw_context_t *ubj = ubjw_open_callback(&to, append, NULL, NULL);
    bool good = put(ubj, root);
    ubjw_close_context(ubj);
    return good && (!to.failed || sb_fail("out of memory"));
}

const char *sb_library_version(void) { return ""; }
