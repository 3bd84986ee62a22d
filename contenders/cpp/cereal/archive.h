/* What cereal must know of the structs: it has the rest. */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <cereal/archives/binary.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <cereal/version.hpp>

#include "data.hpp"

namespace sb {

template <typename Archive, typename T>
std::enable_if_t<is_message<T>> serialize(Archive &archive, T &message) {
    T::fields(message, [&](std::string_view, auto &field, auto) { archive(field); });
}

}  // namespace sb

const char *sb_library_version(void) {
    return SB_VERSION_3(CEREAL_VERSION_MAJOR, CEREAL_VERSION_MINOR, CEREAL_VERSION_PATCH);
}

#endif
