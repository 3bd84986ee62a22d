// What ArduinoJson writes of JSON documents: its version, then a line for each file that is named, with the
// document as JSON and as MessagePack in hexadecimal digits.

#include <ArduinoJson/version.hpp>
#if ARDUINOJSON_VERSION_MAJOR == 6
// As 6.18 was on boards; later versions, and 6.18 elsewhere, keep 64-bit numbers.
#define ARDUINOJSON_USE_DOUBLE 0
#define ARDUINOJSON_USE_LONG_LONG 0
#endif
#include <ArduinoJson.h>

#include <cstdio>
#include <fstream>
#include <string>

#if ARDUINOJSON_VERSION_MAJOR == 6
struct Document : DynamicJsonDocument {
    Document() : DynamicJsonDocument(1 << 20) {}
};
#else
using Document = JsonDocument;
#endif

static void put(const std::string &bytes, char end) {
    for (unsigned char byte : bytes) std::printf("%02x", byte);
    std::putchar(end);
}

int main(int count, char **paths) {
    std::puts(ARDUINOJSON_VERSION);
    for (int n = 1; n < count; n++) {
        std::ifstream file(paths[n]);
        Document document;
        DeserializationError error = deserializeJson(document, file);
        if (error) {
            std::fprintf(stderr, "%s: %s\n", paths[n], error.c_str());
            return 1;
        }
        std::string json, messagepack;
        serializeJson(document, json);
        serializeMsgPack(document, messagepack);
        put(json, ' ');
        put(messagepack, '\n');
    }
    return std::fflush(stdout) == 0 ? 0 : 1;
}
