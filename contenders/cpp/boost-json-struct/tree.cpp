#include <serbench/reader.h>

#include "convert.h"

bool sb_read(char *data, size_t size, sb_hash *h) try {
    const auto value = boost::json::parse(boost::json::string_view(data, size));
    sb::hash(h, boost::json::value_to<data::Root>(value));
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
