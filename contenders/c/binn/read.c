#include <serbench/reader.h>
/* Binn 3.0 forgot to include what declares size_t. */
#include <binn.h>

static bool list(void *data, sb_hash *h);
static bool object(void *data, sb_hash *h);

static bool element(binn *value, sb_hash *h) {
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
        case BINN_LIST: return list(value, h);
        case BINN_OBJECT: return object(value, h);
        default: return sb_fail("unexpected type %d", value->type);
    }
}

/* A step ends with FALSE at the end and at an error, so what was met is counted. */
static bool finish(void *data, int met, sb_hash *h) {
    int count = binn_count(data);
    sb_hash_count(h, (size_t)met);
    return met == count || sb_fail("a container ends after %d of %d values", met, count);
}

static bool list(void *data, sb_hash *h) {
    binn_iter iter;
    binn value;
    int met = 0;
    if (!binn_iter_init(&iter, data, BINN_LIST)) return sb_fail("corrupt list");
    for (; binn_list_next(&iter, &value); met++)
        if (!element(&value, h)) return false;
    return finish(data, met, h);
}

static bool object(void *data, sb_hash *h) {
    binn_iter iter;
    binn value;
    char key[256];
    int met = 0;
    if (!binn_iter_init(&iter, data, BINN_OBJECT)) return sb_fail("corrupt object");
    for (; binn_object_next(&iter, key, &value); met++) {
        sb_hash_str(h, key, strlen(key));
        if (!element(&value, h)) return false;
    }
    return finish(data, met, h);
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    (void)size; /* it relies on the size that the data states */
    switch (binn_type(data)) {
        case BINN_LIST: return list(data, h);
        case BINN_OBJECT: return object(data, h);
        default: return sb_fail("not a Binn container");
    }
}

#ifdef BINN_VERSION
const char *sb_library_version(void) { return binn_version(); }
#else /* before 3.0 it did not tell */
const char *sb_library_version(void) { return ""; }
#endif
