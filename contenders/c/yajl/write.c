#include <inttypes.h>
#include <serbench/writer.h>
#include <stdio.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_version.h>

static yajl_gen_status put_string(yajl_gen gen, const char *bytes, size_t length) {
    return yajl_gen_string(gen, (const unsigned char *)bytes, length);
}

/* yajl_gen_integer takes signed integers; larger ones are handed over as text. */
static yajl_gen_status put_u64(yajl_gen gen, uint64_t number) {
    if (number <= INT64_MAX) return yajl_gen_integer(gen, (long long)number);
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRIu64, number);
    return yajl_gen_number(gen, text, (size_t)length);
}

static yajl_gen_status put(yajl_gen gen, const sb_value *value) {
    yajl_gen_status status;
    switch ((sb_type)value->type) {
        case SB_NIL: return yajl_gen_null(gen);
        case SB_BOOL: return yajl_gen_bool(gen, value->as.boolean);
        case SB_I64: return yajl_gen_integer(gen, value->as.i64);
        case SB_U64: return put_u64(gen, value->as.u64);
        case SB_F64: return yajl_gen_double(gen, value->as.f64);
        case SB_STR: return put_string(gen, value->as.str, value->length);
        case SB_ARRAY:
            status = yajl_gen_array_open(gen);
            for (uint32_t i = 0; i < value->length && status == yajl_gen_status_ok; i++)
                status = put(gen, &value->as.items[i]);
            return status == yajl_gen_status_ok ? yajl_gen_array_close(gen) : status;
        default:
            status = yajl_gen_map_open(gen);
            for (uint32_t i = 0; i < value->length && status == yajl_gen_status_ok; i++) {
                const sb_member *member = &value->as.members[i];
                status = put_string(gen, member->key, member->key_length);
                if (status == yajl_gen_status_ok) status = put(gen, &member->value);
            }
            return status == yajl_gen_status_ok ? yajl_gen_map_close(gen) : status;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    yajl_gen gen = yajl_gen_alloc(NULL);
    if (gen == NULL) return sb_fail("out of memory");
    const unsigned char *text;
    size_t length;
    yajl_gen_status status = put(gen, root);
    if (status == yajl_gen_status_ok) status = yajl_gen_get_buf(gen, &text, &length);
    if (status == yajl_gen_status_ok) sb_output_block(out, text, length);
    yajl_gen_free(gen);
    return status == yajl_gen_status_ok || sb_fail("yajl_gen_status %d", (int)status);
}

const char *sb_library_version(void) { return SB_VERSION_3(YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO); }
