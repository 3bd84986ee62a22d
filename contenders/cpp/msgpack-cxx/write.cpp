#include <serbench/writer.h>

#include <exception>
#include <msgpack.hpp>

template <class Packer>
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

#ifdef SECOND_STREAM
/* Instantiates the packer once more; never called, which only the linker must not know. */
struct Counter {
    size_t size = 0;
    void write(const char *, size_t length) { size += length; }
};
size_t second_stream(const sb_value *root) {
    Counter counter;
    msgpack::packer<Counter> packer(counter);
    put(packer, *root);
    return counter.size;
}
size_t (*volatile second)(const sb_value *) = second_stream;
#endif

bool sb_write(const sb_value *root, sb_output *out) try {
#ifdef SECOND_STREAM
    if (second == nullptr) return false;
#endif
    msgpack::sbuffer buffer;
    msgpack::packer<msgpack::sbuffer> packer(buffer);
    put(packer, *root);
    sb_output_block(out, buffer.data(), buffer.size());
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return msgpack_version(); }
