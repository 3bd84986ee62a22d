/* The library has Boost's version. */
#ifndef VERSION_H
#define VERSION_H

#include <serbench/contender.h>

#include <boost/version.hpp>
#include <string>

const char *sb_library_version(void) {
    static const std::string text = std::to_string(BOOST_VERSION / 100000) + "." +
                                    std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                                    std::to_string(BOOST_VERSION % 100);
    return text.c_str();
}

#endif
