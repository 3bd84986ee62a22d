#include <msgpack.h>
#include <serbench/writer.h>

/* Like the library's own calls: 0, or less than 0 for a failure. */
static int put(msgpack_packer *packer, const sb_value *value) {
    int status;
    switch ((sb_type)value->type) {
        case SB_NIL: return msgpack_pack_nil(packer);
        case SB_BOOL: return value->as.boolean ? msgpack_pack_true(packer) : msgpack_pack_false(packer);
        case SB_I64: return msgpack_pack_int64(packer, value->as.i64);
        case SB_U64: return msgpack_pack_uint64(packer, value->as.u64);
        case SB_F64: return msgpack_pack_double(packer, value->as.f64);
        case SB_STR: return msgpack_pack_str_with_body(packer, value->as.str, value->length);
        case SB_ARRAY:
            status = msgpack_pack_array(packer, value->length);
            for (uint32_t i = 0; i < value->length && status == 0; i++)
                status = put(packer, &value->as.items[i]);
            return status;
        default:
            status = msgpack_pack_map(packer, value->length);
            for (uint32_t i = 0; i < value->length && status == 0; i++) {
                const sb_member *member = &value->as.members[i];
                status = msgpack_pack_str_with_body(packer, member->key, member->key_length);
                if (status == 0) status = put(packer, &member->value);
            }
            return status;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    int status = put(&packer, root);
    if (status == 0) sb_output_block(out, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    return status == 0 || sb_fail("packing failed with %d", status);
}

const char *sb_library_version(void) { return msgpack_version(); }
