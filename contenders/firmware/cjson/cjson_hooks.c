#include <cJSON.h>
#include <firmware.h>

static cJSON *document;

bool fw_read(const char *data, size_t size) {
    cJSON_Hooks hooks = {fw_malloc, fw_free};
    cJSON_InitHooks(&hooks);
    document = cJSON_ParseWithLength(data, size);
    return document != NULL;
}

static bool walk(const cJSON *value) {
    const cJSON *child;
    size_t count = 0;
    if (cJSON_IsNull(value)) return sb_hash_nil(&fw_sum), true;
    if (cJSON_IsBool(value)) return sb_hash_bool(&fw_sum, cJSON_IsTrue(value)), true;
    if (cJSON_IsNumber(value)) return sb_hash_f64(&fw_sum, value->valuedouble), true;
    if (cJSON_IsString(value))
        return sb_hash_str(&fw_sum, value->valuestring, strlen(value->valuestring)), true;
    if (!cJSON_IsArray(value) && !cJSON_IsObject(value)) return false;
    cJSON_ArrayForEach(child, value) {
        if (cJSON_IsObject(value)) sb_hash_str(&fw_sum, child->string, strlen(child->string));
        if (!walk(child)) return false;
        count++;
    }
    sb_hash_count(&fw_sum, count);
    return true;
}

bool fw_walk(void) { return walk(document); }

void fw_release(void) {
    cJSON_Delete(document);
    document = NULL;
}

size_t fw_pool(void) { return 0; }

size_t fw_write(char *out, size_t capacity) {
    return cJSON_PrintPreallocated(document, out, (int)capacity, false) ? strlen(out) : 0;
}

const char *fw_version(void) { return cJSON_Version(); }
