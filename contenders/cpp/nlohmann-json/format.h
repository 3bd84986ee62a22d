/* The calls of nlohmann-json for the format that a manifest's FORMAT names: the libraries' own names are
 * formed from it, so that one walk serves the five formats. */
#ifndef FORMAT_H
#define FORMAT_H

#include <serbench/contender.h>

#include <nlohmann/json.hpp>

/* It keeps the keys in their order, as the hashes want it; plain nlohmann::json would sort them. */
using Json = nlohmann::ordered_json;

#ifdef FORMAT
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
constexpr auto INPUT_FORMAT = nlohmann::json::input_format_t::FORMAT;
inline Json decode(const char *data, size_t size) { return Json::JOIN(from_, FORMAT)(data, data + size); }
inline auto encode(const Json &value) { return Json::JOIN(to_, FORMAT)(value); }
#else
constexpr auto INPUT_FORMAT = nlohmann::json::input_format_t::json;
inline Json decode(const char *data, size_t size) { return Json::parse(data, data + size); }
inline auto encode(const Json &value) { return value.dump(); }
#endif

/* BSON's root is always a document. One that stands for an array has index keys, which do not count. */
constexpr bool ROOT_IS_DOCUMENT = INPUT_FORMAT == nlohmann::json::input_format_t::bson;

const char *sb_library_version(void) {
    return SB_VERSION_3(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                        NLOHMANN_JSON_VERSION_PATCH);
}

#endif
