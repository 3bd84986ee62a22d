#include <cJSON.h>
#include <serbench/reader.h>

static bool walk(const cJSON *value, sb_hash *h) {
    const cJSON *child;
    size_t count = 0;
    if (cJSON_IsNull(value)) return sb_hash_nil(h), true;
    if (cJSON_IsBool(value)) return sb_hash_bool(h, cJSON_IsTrue(value)), true;
    if (cJSON_IsNumber(value)) return sb_hash_f64(h, cJSON_GetNumberValue(value)), true;
    if (cJSON_IsString(value)) {
        const char *text = cJSON_GetStringValue(value);
        return sb_hash_str(h, text, strlen(text)), true;
    }
    if (!cJSON_IsArray(value) && !cJSON_IsObject(value)) return sb_fail("unexpected type %d", value->type);
    cJSON_ArrayForEach(child, value) {
        if (cJSON_IsObject(value)) sb_hash_str(h, child->string, strlen(child->string));
        if (!walk(child, h)) return false;
        count++;
    }
    sb_hash_count(h, count);
    return true;
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    cJSON *root = cJSON_ParseWithLength(data, size);
    if (root == NULL) return sb_fail("not JSON before \"%.20s\"", cJSON_GetErrorPtr());
    bool good = walk(root, h);
    cJSON_Delete(root);
    return good;
}

const char *sb_library_version(void) { return cJSON_Version(); }
