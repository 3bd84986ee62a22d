#include <serbench/struct_writer.hpp>

#include "records.h"

bool sb_write_struct(const data::Root &plain, sb_output *out) try {
    avroed::Root root;
    avroed::fill(plain, root);
    const avro::OutputStreamPtr stream = avro::memoryOutputStream();
    const avro::EncoderPtr encoder = avro::binaryEncoder();
    encoder->init(*stream);
    avro::encode(*encoder, root);
    encoder->flush();
    const avro::InputStreamPtr blocks = avro::memoryInputStream(*stream);
    const uint8_t *block;
    size_t size;
    while (blocks->next(&block, &size)) {
        if (!sb_output_append(out, block, size)) return sb_fail("out of memory");
    }
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
