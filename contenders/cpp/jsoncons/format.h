/* The calls of jsoncons for the format that a manifest's FORMAT names: the library's own names are formed
 * from it, so that one walk serves its formats. */
#ifndef FORMAT_H
#define FORMAT_H

#include <serbench/contender.h>

#include <jsoncons/json.hpp>
#include <string>

/* It keeps the keys in their order, as the hashes want it; plain jsoncons::json would sort them. */
using Json = jsoncons::ojson;

#ifdef FORMAT
#include <cstdint>
#include <jsoncons_ext/cbor/cbor.hpp>
#include <jsoncons_ext/msgpack/msgpack.hpp>
#include <vector>
#define JOIN_NAMES(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_NAMES(a, b, c)
using Bytes = std::vector<std::uint8_t>;
using Input = jsoncons::span<const std::uint8_t>;
using Encoder = jsoncons::FORMAT::JOIN(, FORMAT, _bytes_encoder);
using Reader = jsoncons::FORMAT::JOIN(, FORMAT, _bytes_reader);
inline Input input(const char *data, size_t size) {
    return {reinterpret_cast<const std::uint8_t *>(data), size};
}
inline Json decode(const char *data, size_t size) {
    return jsoncons::FORMAT::JOIN(decode_, FORMAT, )<Json>(input(data, size));
}
inline void encode(const Json &value, Bytes &bytes) {
    jsoncons::FORMAT::JOIN(encode_, FORMAT, )(value, bytes);
}
#else
using Bytes = std::string;
using Input = jsoncons::string_view;
using Encoder = jsoncons::compact_json_string_encoder;
using Reader = jsoncons::json_string_reader;
inline Input input(const char *data, size_t size) { return {data, size}; }
inline Json decode(const char *data, size_t size) { return Json::parse(input(data, size)); }
inline void encode(const Json &value, Bytes &bytes) { value.dump(bytes); }
#endif

const char *sb_library_version(void) {
    return SB_VERSION_3(JSONCONS_VERSION_MAJOR, JSONCONS_VERSION_MINOR, JSONCONS_VERSION_PATCH);
}

#endif
