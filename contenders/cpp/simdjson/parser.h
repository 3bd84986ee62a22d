/* The parser of a call, and the version with the kernel that was chosen on this machine. */
#ifndef PARSER_H
#define PARSER_H

#include <simdjson.h>

#include <string>

/* A variant keeps one parser, with its buffers, for all calls. */
#ifdef REUSE
#define PARSER_STORAGE static
#else
#define PARSER_STORAGE
#endif

/* The macro is plain text in some versions and a string in others. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

inline std::string simdjson_version() {
    std::string text = TEXT(SIMDJSON_VERSION);
    if (text.front() == '"') text = text.substr(1, text.size() - 2);
    return text + " (" + simdjson::get_active_implementation()->name();
}

#endif
