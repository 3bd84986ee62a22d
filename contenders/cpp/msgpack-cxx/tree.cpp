#include <serbench/reader.h>

#include <exception>
#include <msgpack.hpp>

static void walk(const msgpack::object &object, sb_hash *h) {
    switch (object.type) {
        case msgpack::type::NIL: sb_hash_nil(h); return;
        case msgpack::type::BOOLEAN: sb_hash_bool(h, object.via.boolean); return;
        case msgpack::type::POSITIVE_INTEGER: sb_hash_u64(h, object.via.u64); return;
        case msgpack::type::NEGATIVE_INTEGER: sb_hash_i64(h, object.via.i64); return;
        case msgpack::type::FLOAT32:
        case msgpack::type::FLOAT64: sb_hash_f64(h, object.via.f64); return;
        case msgpack::type::STR: sb_hash_str(h, object.via.str.ptr, object.via.str.size); return;
        case msgpack::type::ARRAY:
            for (const msgpack::object &item : object.via.array) walk(item, h);
            sb_hash_count(h, object.via.array.size);
            return;
        case msgpack::type::MAP:
            for (const msgpack::object_kv &entry : object.via.map) {
                walk(entry.key, h);
                walk(entry.val, h);
            }
            sb_hash_count(h, object.via.map.size);
            return;
        default: throw msgpack::type_error();
    }
}

#ifdef REFERENCE
/* Asked for every string: leave it in the input. */
static bool leave(msgpack::type::object_type, size_t, void *) { return true; }
#define HOW , leave
#else
#define HOW
#endif

bool sb_read(char *data, size_t size, sb_hash *h) try {
    msgpack::object_handle handle = msgpack::unpack(data, size HOW);
    walk(handle.get(), h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return msgpack_version(); }
