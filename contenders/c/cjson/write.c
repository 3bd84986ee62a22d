#include <cJSON.h>
#include <inttypes.h>
#include <serbench/writer.h>
#include <stdio.h>

#ifdef REFERENCES
#define CREATE_STRING cJSON_CreateStringReference
#define ADD_ITEM cJSON_AddItemToObjectCS
#else
#define CREATE_STRING cJSON_CreateString
#define ADD_ITEM cJSON_AddItemToObject
#endif

/* cJSON prints 15 digits of a number, and all of them only if those are far enough off. */
static cJSON *convert_integer(const sb_value *value) {
    const int64_t exact = INT64_C(1000000000000000);
    char text[24];
    if (value->type == SB_I64) {
        if (value->as.i64 > -exact) return cJSON_CreateNumber((double)value->as.i64);
        (void)snprintf(text, sizeof text, "%" PRId64, value->as.i64);
    } else {
        if (value->as.u64 < (uint64_t)exact) return cJSON_CreateNumber((double)value->as.u64);
        (void)snprintf(text, sizeof text, "%" PRIu64, value->as.u64);
    }
    return cJSON_CreateRaw(text);
}

/* Adding a null pointer, which stands for a failure below, fails too. */
static cJSON *convert(const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: return cJSON_CreateNull();
        case SB_BOOL: return cJSON_CreateBool(value->as.boolean);
        case SB_I64:
        case SB_U64: return convert_integer(value);
        case SB_F64: return cJSON_CreateNumber(value->as.f64);
        case SB_STR: return CREATE_STRING(value->as.str);
        default: break;
    }
    bool map = value->type == SB_MAP;
    cJSON *container = map ? cJSON_CreateObject() : cJSON_CreateArray();
    bool good = container != NULL;
    for (uint32_t i = 0; i < value->length && good; i++) {
        const sb_member *member = map ? &value->as.members[i] : NULL;
        cJSON *item = convert(map ? &member->value : &value->as.items[i]);
        good = map ? ADD_ITEM(container, member->key, item) : cJSON_AddItemToArray(container, item);
        if (!good) cJSON_Delete(item);
    }
    if (good) return container;
    cJSON_Delete(container);
    return NULL;
}

bool sb_write(const sb_value *root, sb_output *out) {
    cJSON *tree = convert(root);
    if (tree == NULL) return sb_fail("out of memory");
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    if (text == NULL) return sb_fail("cJSON_PrintUnformatted failed");
    sb_output_block(out, text, strlen(text));
    cJSON_free(text);
    return true;
}

const char *sb_library_version(void) { return cJSON_Version(); }
