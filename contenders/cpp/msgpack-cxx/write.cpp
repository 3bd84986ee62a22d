#include <serbench/writer.h>

#include <exception>
#include <msgpack.hpp>

using Packer = msgpack::packer<msgpack::sbuffer>;

static void put(Packer &packer, const sb_value &value) {
    switch (value.type) {
        case SB_NIL: packer.pack_nil(); return;
        case SB_BOOL: packer.pack(value.as.boolean); return;
        case SB_I64: packer.pack(value.as.i64); return;
        case SB_U64: packer.pack(value.as.u64); return;
        case SB_F64: packer.pack(value.as.f64); return;
        case SB_STR: packer.pack_str(value.length).pack_str_body(value.as.str, value.length); return;
        case SB_ARRAY:
            packer.pack_array(value.length);
            for (uint32_t i = 0; i < value.length; i++) put(packer, value.as.items[i]);
            return;
        default:
            packer.pack_map(value.length);
            for (uint32_t i = 0; i < value.length; i++) {
                const sb_member &member = value.as.members[i];
                packer.pack_str(member.key_length).pack_str_body(member.key, member.key_length);
                put(packer, member.value);
            }
    }
}

bool sb_write(const sb_value *root, sb_output *out) try {
    msgpack::sbuffer buffer;
    Packer packer(buffer);
    put(packer, *root);
    sb_output_block(out, buffer.data(), buffer.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return msgpack_version(); }
