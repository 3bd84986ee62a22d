#include <msgpack.h>
#include <serbench/reader.h>

static bool walk(const msgpack_object *object, sb_hash *h) {
    switch (object->type) {
        case MSGPACK_OBJECT_NIL: sb_hash_nil(h); return true;
        case MSGPACK_OBJECT_BOOLEAN: sb_hash_bool(h, object->via.boolean); return true;
        case MSGPACK_OBJECT_POSITIVE_INTEGER: sb_hash_u64(h, object->via.u64); return true;
        case MSGPACK_OBJECT_NEGATIVE_INTEGER: sb_hash_i64(h, object->via.i64); return true;
        case MSGPACK_OBJECT_FLOAT32:
        case MSGPACK_OBJECT_FLOAT64: sb_hash_f64(h, object->via.f64); return true;
        case MSGPACK_OBJECT_STR: sb_hash_str(h, object->via.str.ptr, object->via.str.size); return true;
        case MSGPACK_OBJECT_ARRAY:
            for (uint32_t i = 0; i < object->via.array.size; i++)
                if (!walk(&object->via.array.ptr[i], h)) return false;
            sb_hash_count(h, object->via.array.size);
            return true;
        case MSGPACK_OBJECT_MAP:
            for (uint32_t i = 0; i < object->via.map.size; i++) {
                const msgpack_object_kv *entry = &object->via.map.ptr[i];
                if (!walk(&entry->key, h) || !walk(&entry->val, h)) return false;
            }
            sb_hash_count(h, object->via.map.size);
            return true;
        default: return sb_fail("unexpected type %d", (int)object->type);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    msgpack_unpacked result;
    size_t offset = 0;
    msgpack_unpacked_init(&result);
    msgpack_unpack_return status = msgpack_unpack_next(&result, data, size, &offset);
    bool good = status == MSGPACK_UNPACK_SUCCESS ? walk(&result.data, h)
                                                 : sb_fail("unpacking failed with %d", (int)status);
    msgpack_unpacked_destroy(&result);
    return good;
}

const char *sb_library_version(void) { return msgpack_version(); }
