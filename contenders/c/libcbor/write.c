#include <cbor.h>
#include <serbench/writer.h>
#include <stdlib.h>

static cbor_item_t *convert_unsigned(uint64_t number) {
    if (number <= UINT8_MAX) return cbor_build_uint8((uint8_t)number);
    if (number <= UINT16_MAX) return cbor_build_uint16((uint16_t)number);
    if (number <= UINT32_MAX) return cbor_build_uint32((uint32_t)number);
    return cbor_build_uint64(number);
}

static cbor_item_t *convert_negative(int64_t value) {
    uint64_t number = ~(uint64_t)value; /* -1 - value, as CBOR counts negative integers */
    if (number <= UINT8_MAX) return cbor_build_negint8((uint8_t)number);
    if (number <= UINT16_MAX) return cbor_build_negint16((uint16_t)number);
    if (number <= UINT32_MAX) return cbor_build_negint32((uint32_t)number);
    return cbor_build_negint64(number);
}

static cbor_item_t *convert(const sb_value *value);

/* A container takes a reference of its own, so the caller's is given back in any case. */
static bool add(cbor_item_t *map, const sb_member *member) {
    struct cbor_pair pair = {cbor_build_stringn(member->key, member->key_length), convert(&member->value)};
    bool good = pair.key != NULL && pair.value != NULL && cbor_map_add(map, pair);
    if (pair.key != NULL) cbor_decref(&pair.key);
    if (pair.value != NULL) cbor_decref(&pair.value);
    return good;
}

static bool push(cbor_item_t *array, const sb_value *value) {
    cbor_item_t *item = convert(value);
    bool good = item != NULL && cbor_array_push(array, item);
    if (item != NULL) cbor_decref(&item);
    return good;
}

static cbor_item_t *convert(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return cbor_new_null();
        case SB_BOOL: return cbor_build_bool(value->as.boolean);
        case SB_I64: return convert_negative(value->as.i64);
        case SB_U64: return convert_unsigned(value->as.u64);
        case SB_F64: return cbor_build_float8(value->as.f64);
        case SB_STR: return cbor_build_stringn(value->as.str, value->length);
        default: break;
    }
    bool map = value->type == SB_MAP;
    cbor_item_t *container =
        map ? cbor_new_definite_map(value->length) : cbor_new_definite_array(value->length);
    bool good = container != NULL;
    for (uint32_t i = 0; i < value->length && good; i++)
        good = map ? add(container, &value->as.members[i]) : push(container, &value->as.items[i]);
    if (!good && container != NULL) cbor_decref(&container);
    return container;
}

bool sb_write(const sb_value *root, sb_output *out) {
    cbor_item_t *tree = convert(root);
    if (tree == NULL) return sb_fail("out of memory");
    unsigned char *data = NULL;
    size_t capacity;
    size_t size = cbor_serialize_alloc(tree, &data, &capacity);
    cbor_decref(&tree);
    if (size > 0) sb_output_block(out, data, size);
    free(data);
    return size > 0 || sb_fail("cbor_serialize_alloc failed");
}

const char *sb_library_version(void) {
    return SB_VERSION_3(CBOR_MAJOR_VERSION, CBOR_MINOR_VERSION, CBOR_PATCH_VERSION);
}
