#include <ArduinoJson.h>
#include <firmware.h>

#if ARDUINOJSON_VERSION_MAJOR != 7
#error "version 7 of ArduinoJson is needed: others have no Allocator"
#endif

/* The document takes its blocks from the harness's memory. */
struct Heap final : ArduinoJson::Allocator {
    void *allocate(size_t size) override { return fw_malloc(size); }
    void deallocate(void *block) override { fw_free(block); }
    void *reallocate(void *block, size_t size) override { return fw_realloc(block, size); }
};

static Heap heap;

/* It is never destroyed, which a program without an end need not arrange for. */
static union Storage {
    Storage() : document(&heap) {}
    ~Storage() {}
    JsonDocument document;
} storage;

static JsonDocument &document = storage.document;

/* FW_MESSAGEPACK chooses the format. */
bool fw_read(const char *data, size_t size) {
#ifdef FW_MESSAGEPACK
    return !deserializeMsgPack(document, data, size);
#else
    return !deserializeJson(document, data, size);
#endif
}

static void hash_text(const char *text) { sb_hash_str(&fw_sum, text, strlen(text)); }

static void walk(JsonVariantConst value) {
    if (value.is<JsonObjectConst>()) {
        for (JsonPairConst member : value.as<JsonObjectConst>()) {
            hash_text(member.key().c_str());
            walk(member.value());
        }
        sb_hash_count(&fw_sum, value.size());
    } else if (value.is<JsonArrayConst>()) {
        for (JsonVariantConst element : value.as<JsonArrayConst>()) walk(element);
        sb_hash_count(&fw_sum, value.size());
    } else if (value.is<bool>()) {
        sb_hash_bool(&fw_sum, value.as<bool>());
    } else if (value.is<unsigned long>()) {
        sb_hash_u64(&fw_sum, value.as<unsigned long>());
    } else if (value.is<long>()) {
        sb_hash_i64(&fw_sum, value.as<long>());
    } else if (value.is<float>()) {
        sb_hash_f64(&fw_sum, value.as<float>());
    } else if (value.is<const char *>()) {
        hash_text(value.as<const char *>());
    } else {
        sb_hash_nil(&fw_sum);
    }
}

bool fw_walk(void) {
    walk(document.as<JsonVariantConst>());
    return !document.overflowed();
}

void fw_release(void) { document.clear(); }

size_t fw_pool(void) { return 0; }

size_t fw_write(char *out, size_t capacity) {
#ifdef FW_MESSAGEPACK
    return serializeMsgPack(document, out, capacity);
#else
    return serializeJson(document, out, capacity);
#endif
}

const char *fw_version(void) { return ARDUINOJSON_VERSION; }
