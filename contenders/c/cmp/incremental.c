#include <serbench/reader.h>
/* CMP's header expects these. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "version.h"

typedef struct input {
    const char *next, *end;
} input;

/* The next `count` bytes, NULL if there are no more so many. */
static const char *take(input *in, size_t count) {
    const char *bytes = in->next;
    if (count > (size_t)(in->end - bytes)) return NULL;
    in->next += count;
    return bytes;
}

static bool read_bytes(cmp_ctx_t *cmp, void *data, size_t limit) {
    const char *bytes = take(cmp->buf, limit);
    if (bytes != NULL) memcpy(data, bytes, limit);
    return bytes != NULL;
}

static bool element(cmp_ctx_t *cmp, sb_hash *h) {
    cmp_object_t object;
    const char *bytes;
    if (!cmp_read_object(cmp, &object)) return sb_fail("%s", cmp_strerror(cmp));
    switch (object.type) {
        case CMP_TYPE_NIL: sb_hash_nil(h); return true;
        case CMP_TYPE_BOOLEAN: sb_hash_bool(h, object.as.boolean); return true;
        case CMP_TYPE_FLOAT: sb_hash_f64(h, object.as.flt); return true;
        case CMP_TYPE_DOUBLE: sb_hash_f64(h, object.as.dbl); return true;
        case CMP_TYPE_POSITIVE_FIXNUM:
        case CMP_TYPE_UINT8: sb_hash_u64(h, object.as.u8); return true;
        case CMP_TYPE_UINT16: sb_hash_u64(h, object.as.u16); return true;
        case CMP_TYPE_UINT32: sb_hash_u64(h, object.as.u32); return true;
        case CMP_TYPE_UINT64: sb_hash_u64(h, object.as.u64); return true;
        case CMP_TYPE_NEGATIVE_FIXNUM:
        case CMP_TYPE_SINT8: sb_hash_i64(h, object.as.s8); return true;
        case CMP_TYPE_SINT16: sb_hash_i64(h, object.as.s16); return true;
        case CMP_TYPE_SINT32: sb_hash_i64(h, object.as.s32); return true;
        case CMP_TYPE_SINT64: sb_hash_i64(h, object.as.s64); return true;
        case CMP_TYPE_FIXSTR:
        case CMP_TYPE_STR8:
        case CMP_TYPE_STR16:
        case CMP_TYPE_STR32:
            bytes = take(cmp->buf, object.as.str_size);
            if (bytes == NULL) return sb_fail("a string ends beyond the data");
            sb_hash_str(h, bytes, object.as.str_size);
            return true;
        case CMP_TYPE_FIXARRAY:
        case CMP_TYPE_ARRAY16:
        case CMP_TYPE_ARRAY32:
            for (uint32_t i = 0; i < object.as.array_size; i++)
                if (!element(cmp, h)) return false;
            sb_hash_count(h, object.as.array_size);
            return true;
        case CMP_TYPE_FIXMAP:
        case CMP_TYPE_MAP16:
        case CMP_TYPE_MAP32:
            for (uint32_t i = 0; i < object.as.map_size; i++)
                if (!element(cmp, h) || !element(cmp, h)) return false;
            sb_hash_count(h, object.as.map_size);
            return true;
        default: return sb_fail("unexpected type %d", (int)object.type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    input in = {data, data + size};
    cmp_ctx_t cmp;
    cmp_init(&cmp, &in, read_bytes, NULL, NULL);
    return element(&cmp, h);
}

const char *sb_library_version(void) { return cmp_version_text(); }
