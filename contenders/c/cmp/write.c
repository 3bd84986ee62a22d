#include <serbench/writer.h>
/* CMP's header expects these. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "version.h"

static bool put(cmp_ctx_t *cmp, const sb_value *value) {
    bool good;
    switch ((sb_type)value->type) {
        case SB_NIL: return cmp_write_nil(cmp);
        case SB_BOOL: return cmp_write_bool(cmp, value->as.boolean);
        case SB_I64: return cmp_write_integer(cmp, value->as.i64);
        case SB_U64: return cmp_write_uinteger(cmp, value->as.u64);
        case SB_F64: return cmp_write_double(cmp, value->as.f64);
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

static size_t append(cmp_ctx_t *cmp, const void *data, size_t count) {
    return sb_output_append(cmp->buf, data, count) ? count : 0;
}

bool sb_write(const sb_value *root, sb_output *out) {
    cmp_ctx_t cmp;
    cmp_init(&cmp, out, NULL, NULL, append);
    return put(&cmp, root) || sb_fail("%s", cmp_strerror(&cmp));
}

const char *sb_library_version(void) { return cmp_version_text(); }
