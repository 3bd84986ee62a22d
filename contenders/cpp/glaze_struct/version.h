/* The library's version. */
#ifndef VERSION_H
#define VERSION_H

#include <serbench/contender.h>

#include <glaze/version.hpp>
#include <string>

const char *sb_library_version(void) {
    static const std::string text = std::to_string(glz::version.major) + "." +
                                    std::to_string(glz::version.minor) + "." +
                                    std::to_string(glz::version.patch);
    return text.c_str();
}

#endif
