#include <msgpack.h>
#include <serbench/lookup.h>

/* Its objects are plain structures, which its caller searches. */
static const msgpack_object *member(const msgpack_object *object, const sb_value *key) {
    if (object->type != MSGPACK_OBJECT_MAP) return NULL;
    for (uint32_t i = 0; i < object->via.map.size; i++) {
        const msgpack_object_kv *entry = &object->via.map.ptr[i];
        if (entry->key.type == MSGPACK_OBJECT_STR && entry->key.via.str.size == key->length &&
            memcmp(entry->key.via.str.ptr, key->as.str, key->length) == 0)
            return &entry->val;
    }
    return NULL;
}

static const msgpack_object *follow(const msgpack_object *object, const sb_path *path) {
    for (uint32_t i = 0; i < path->length && object != NULL; i++) {
        const sb_value *step = &path->steps[i];
        if (step->type == SB_STR)
            object = member(object, step);
        else if (object->type == MSGPACK_OBJECT_ARRAY && step->as.u64 < object->via.array.size)
            object = &object->via.array.ptr[step->as.u64];
        else
            object = NULL;
    }
    return object;
}

static bool hash_scalar(const msgpack_object *object, sb_hash *h) {
    if (object == NULL) return false;
    switch (object->type) {
        case MSGPACK_OBJECT_NIL: sb_hash_nil(h); return true;
        case MSGPACK_OBJECT_BOOLEAN: sb_hash_bool(h, object->via.boolean); return true;
        case MSGPACK_OBJECT_POSITIVE_INTEGER: sb_hash_u64(h, object->via.u64); return true;
        case MSGPACK_OBJECT_NEGATIVE_INTEGER: sb_hash_i64(h, object->via.i64); return true;
        case MSGPACK_OBJECT_FLOAT32:
        case MSGPACK_OBJECT_FLOAT64: sb_hash_f64(h, object->via.f64); return true;
        case MSGPACK_OBJECT_STR: sb_hash_str(h, object->via.str.ptr, object->via.str.size); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    msgpack_unpacked result;
    size_t offset = 0;
    msgpack_unpacked_init(&result);
    msgpack_unpack_return status = msgpack_unpack_next(&result, data, size, &offset);
    bool good = status == MSGPACK_UNPACK_SUCCESS || sb_fail("unpacking failed with %d", (int)status);
    for (size_t i = 0; i < count && good; i++)
        good = hash_scalar(follow(&result.data, &paths[i]), h) || sb_missing(&paths[i]);
    msgpack_unpacked_destroy(&result);
    return good;
}

const char *sb_library_version(void) { return msgpack_version(); }
