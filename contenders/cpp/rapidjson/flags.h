/* The parse flags of a variant. */
#ifndef FLAGS_H
#define FLAGS_H

#include <rapidjson/reader.h>

#if defined FULL_PRECISION
constexpr unsigned FLAGS = rapidjson::kParseDefaultFlags | rapidjson::kParseFullPrecisionFlag;
#elif defined VALIDATE
constexpr unsigned FLAGS = rapidjson::kParseDefaultFlags | rapidjson::kParseValidateEncodingFlag;
#else
constexpr unsigned FLAGS = rapidjson::kParseDefaultFlags;
#endif

#endif
