#include <serbench/lookup.h>
/* Binn 3.0 forgot to include what declares size_t. */
#include <binn.h>
#include <limits.h>

/* Its positions begin with 1. */
static bool take_step(void *container, const sb_value *step, binn *found) {
    if (step->type == SB_STR)
        return binn_type(container) == BINN_OBJECT && binn_object_get_value(container, step->as.str, found);
    return binn_type(container) == BINN_LIST && step->as.u64 < INT_MAX &&
           binn_list_get_value(container, (int)step->as.u64 + 1, found);
}

static bool hash_scalar(const binn *value, sb_hash *h) {
    switch (value->type) {
        case BINN_NULL: sb_hash_nil(h); return true;
        case BINN_BOOL: sb_hash_bool(h, value->vbool); return true;
        case BINN_UINT8: sb_hash_u64(h, value->vuint8); return true;
        case BINN_UINT16: sb_hash_u64(h, value->vuint16); return true;
        case BINN_UINT32: sb_hash_u64(h, value->vuint32); return true;
        case BINN_UINT64: sb_hash_u64(h, value->vuint64); return true;
        case BINN_INT8: sb_hash_i64(h, value->vint8); return true;
        case BINN_INT16: sb_hash_i64(h, value->vint16); return true;
        case BINN_INT32: sb_hash_i64(h, value->vint32); return true;
        case BINN_INT64: sb_hash_i64(h, value->vint64); return true;
        case BINN_FLOAT32: sb_hash_f64(h, value->vfloat); return true;
        case BINN_FLOAT64: sb_hash_f64(h, value->vdouble); return true;
        case BINN_STRING: sb_hash_str(h, value->ptr, strlen(value->ptr)); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    (void)size; /* it relies on the size that the data state */
    for (size_t i = 0; i < count; i++) {
        binn value, element;
        bool good = paths[i].length > 0 && take_step(data, &paths[i].steps[0], &value);
        for (uint32_t j = 1; j < paths[i].length && good; j++) {
            good = take_step(&value, &paths[i].steps[j], &element);
            value = element;
        }
        if (!good || !hash_scalar(&value, h)) return sb_missing(&paths[i]);
    }
    return true;
}

#ifdef BINN_VERSION
const char *sb_library_version(void) { return binn_version(); }
#else /* before 3.0 it did not tell */
const char *sb_library_version(void) { return ""; }
#endif
