#include <serbench/reader.h>

#include "records.h"

bool sb_read(char *data, size_t size, sb_hash *h) try {
    const avro::InputStreamPtr in = avro::memoryInputStream(reinterpret_cast<const uint8_t *>(data), size);
    const avro::DecoderPtr decoder = avro::binaryDecoder();
    decoder->init(*in);
    avroed::Root root;
    avro::decode(*decoder, root);
    avroed::walk(h, root);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
