/* The parse flags of a variant. */
#ifndef FLAGS_H
#define FLAGS_H

#include <rapidjson/reader.h>

#ifdef FULL_PRECISION
constexpr unsigned FLAGS = rapidjson::kParseDefaultFlags | rapidjson::kParseFullPrecisionFlag;
#else
constexpr unsigned FLAGS = rapidjson::kParseDefaultFlags;
#endif

#endif
