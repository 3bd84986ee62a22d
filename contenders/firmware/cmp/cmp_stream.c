#include <firmware.h>
/* CMP's header expects these. */
#include <cmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct span {
    char *next, *end;
} span;

/* The next `count` bytes, NULL if there are no more so many. */
static char *take(span *memory, size_t count) {
    char *bytes = memory->next;
    if (count > (size_t)(memory->end - bytes)) return NULL;
    memory->next += count;
    return bytes;
}

static bool read_bytes(cmp_ctx_t *cmp, void *data, size_t limit) {
    const char *bytes = take(cmp->buf, limit);
    if (bytes != NULL) memcpy(data, bytes, limit);
    return bytes != NULL;
}

static size_t append(cmp_ctx_t *cmp, const void *data, size_t count) {
    char *bytes = take(cmp->buf, count);
    if (bytes == NULL) return 0;
    memcpy(bytes, data, count);
    return count;
}

static bool element(cmp_ctx_t *cmp) {
    cmp_object_t object;
    const char *bytes;
    if (!cmp_read_object(cmp, &object)) return false;
    switch (object.type) {
        case CMP_TYPE_NIL: sb_hash_nil(&fw_sum); return true;
        case CMP_TYPE_BOOLEAN: sb_hash_bool(&fw_sum, object.as.boolean); return true;
        case CMP_TYPE_FLOAT: sb_hash_f64(&fw_sum, (double)object.as.flt); return true;
        case CMP_TYPE_POSITIVE_FIXNUM:
        case CMP_TYPE_UINT8: sb_hash_u64(&fw_sum, object.as.u8); return true;
        case CMP_TYPE_UINT16: sb_hash_u64(&fw_sum, object.as.u16); return true;
        case CMP_TYPE_UINT32: sb_hash_u64(&fw_sum, object.as.u32); return true;
        case CMP_TYPE_UINT64: sb_hash_u64(&fw_sum, object.as.u64); return true;
        case CMP_TYPE_NEGATIVE_FIXNUM:
        case CMP_TYPE_SINT8: sb_hash_i64(&fw_sum, object.as.s8); return true;
        case CMP_TYPE_SINT16: sb_hash_i64(&fw_sum, object.as.s16); return true;
        case CMP_TYPE_SINT32: sb_hash_i64(&fw_sum, object.as.s32); return true;
        case CMP_TYPE_SINT64: sb_hash_i64(&fw_sum, object.as.s64); return true;
        case CMP_TYPE_FIXSTR:
        case CMP_TYPE_STR8:
        case CMP_TYPE_STR16:
            bytes = take(cmp->buf, object.as.str_size);
            if (bytes == NULL) return false;
            sb_hash_str(&fw_sum, bytes, object.as.str_size);
            return true;
        case CMP_TYPE_FIXARRAY:
        case CMP_TYPE_ARRAY16:
            for (uint32_t i = 0; i < object.as.array_size; i++)
                if (!element(cmp)) return false;
            sb_hash_count(&fw_sum, object.as.array_size);
            return true;
        case CMP_TYPE_FIXMAP:
        case CMP_TYPE_MAP16:
            for (uint32_t i = 0; i < object.as.map_size; i++)
                if (!element(cmp) || !element(cmp)) return false;
            sb_hash_count(&fw_sum, object.as.map_size);
            return true;
        default: return false;
    }
}

bool fw_read(const char *data, size_t size) {
    span memory = {(char *)data, (char *)data + size}; /* never written to: the backend has no writer */
    cmp_ctx_t cmp;
    cmp_init(&cmp, &memory, read_bytes, NULL, NULL);
    return element(&cmp);
}

bool fw_walk(void) { return true; }

void fw_release(void) {}

size_t fw_pool(void) { return 0; }

static bool put(cmp_ctx_t *cmp, const sb_value *value) {
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return cmp_write_nil(cmp);
        case SB_BOOL: return cmp_write_bool(cmp, value->as.boolean);
        case SB_I64: return cmp_write_integer(cmp, value->as.i64);
        case SB_U64: return cmp_write_uinteger(cmp, value->as.u64);
        case SB_F64: return cmp_write_float(cmp, (float)value->as.f64);
        case SB_STR: return cmp_write_str(cmp, value->as.str, value->length);
        case SB_ARRAY:
            good = cmp_write_array(cmp, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) good = put(cmp, &value->as.items[i]);
            return good;
        default:
            good = cmp_write_map(cmp, value->length);
            for (uint32_t i = 0; i < value->length && good; i++) {
                const sb_member *member = &value->as.members[i];
                good = cmp_write_str(cmp, member->key, member->key_length) && put(cmp, &member->value);
            }
            return good;
    }
}

size_t fw_write(char *out, size_t capacity) {
    span memory = {out, out + capacity};
    cmp_ctx_t cmp;
    cmp_init(&cmp, &memory, NULL, NULL, append);
    return put(&cmp, &fw_tree) ? (size_t)(memory.next - out) : 0;
}

/* CMP's version is a single number, of one or two digits. */
const char *fw_version(void) {
    static char text[3];
    uint32_t version = cmp_version();
    text[0] = (char)(version < 10 ? '0' + version : '0' + version / 10);
    text[1] = version < 10 ? '\0' : (char)('0' + version % 10);
    return text;
}
