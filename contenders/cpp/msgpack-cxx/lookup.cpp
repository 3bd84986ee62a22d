#include <serbench/lookup.h>

#include <exception>
#include <msgpack.hpp>
#include <string_view>

/* Its objects are plain structures, which its caller searches. */
static const msgpack::object *take_step(const msgpack::object &object, const sb_value &step) {
    if (step.type == SB_U64) {
        const bool found = object.type == msgpack::type::ARRAY && step.as.u64 < object.via.array.size;
        return found ? &object.via.array.ptr[step.as.u64] : nullptr;
    }
    if (object.type != msgpack::type::MAP) return nullptr;
    const std::string_view key(step.as.str, step.length);
    for (const msgpack::object_kv &entry : object.via.map)
        if (entry.key.type == msgpack::type::STR &&
            std::string_view(entry.key.via.str.ptr, entry.key.via.str.size) == key)
            return &entry.val;
    return nullptr;
}

static const msgpack::object *follow(const msgpack::object *object, const sb_path &path) {
    for (uint32_t i = 0; i < path.length && object != nullptr; i++)
        object = take_step(*object, path.steps[i]);
    return object;
}

static bool hash_scalar(const msgpack::object *object, sb_hash *h) {
    if (object == nullptr) return false;
    switch (object->type) {
        case msgpack::type::NIL: sb_hash_nil(h); return true;
        case msgpack::type::BOOLEAN: sb_hash_bool(h, object->via.boolean); return true;
        case msgpack::type::POSITIVE_INTEGER: sb_hash_u64(h, object->via.u64); return true;
        case msgpack::type::NEGATIVE_INTEGER: sb_hash_i64(h, object->via.i64); return true;
        case msgpack::type::FLOAT32:
        case msgpack::type::FLOAT64: sb_hash_f64(h, object->via.f64); return true;
        case msgpack::type::STR: sb_hash_str(h, object->via.str.ptr, object->via.str.size); return true;
        default: return false;
    }
}

/* Strings are borrowed from the data, which stay: its manual's unpack_reference_func. */
static bool borrow(msgpack::type::object_type, std::size_t, void *) { return true; }

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    const msgpack::object_handle handle = msgpack::unpack(data, size, borrow);
    for (size_t i = 0; i < count; i++)
        if (!hash_scalar(follow(&handle.get(), paths[i]), h)) return sb_missing(&paths[i]);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return msgpack_version(); }
