#include <basic_contexts.h>
#include <serbench/writer.h>

/* An error stays in the context and turns the later calls into nothing, so it is asked for at the end. */
static void put(cw_pack_context *pack, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: cw_pack_nil(pack); return;
        case SB_BOOL: cw_pack_boolean(pack, value->as.boolean); return;
        case SB_I64: cw_pack_signed(pack, value->as.i64); return;
        case SB_U64: cw_pack_unsigned(pack, value->as.u64); return;
        case SB_F64: cw_pack_double(pack, value->as.f64); return;
        case SB_STR: cw_pack_str(pack, value->as.str, value->length); return;
        case SB_ARRAY:
            cw_pack_array_size(pack, value->length);
            for (uint32_t i = 0; i < value->length; i++) put(pack, &value->as.items[i]);
            return;
        case SB_MAP:
            cw_pack_map_size(pack, value->length);
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                cw_pack_str(pack, member->key, member->key_length);
                put(pack, &member->value);
            }
            return;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    dynamic_memory_pack_context context;
    init_dynamic_memory_pack_context(&context, 4096);
    cw_pack_context *pack = &context.pc;
    if (pack->return_code == CWP_RC_OK) put(pack, root);
    const int code = pack->return_code;
    if (code == CWP_RC_OK) sb_output_block(out, pack->start, (size_t)(pack->current - pack->start));
    free_dynamic_memory_pack_context(&context);
    return code == CWP_RC_OK || sb_fail("packing failed with %d", code);
}

const char *sb_library_version(void) { return ""; }
