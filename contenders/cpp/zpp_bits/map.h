/* An ordered map is what it derives from. */
#ifndef MAP_H
#define MAP_H

#include <serbench/typed.hpp>

namespace sb {

template <typename T>
constexpr auto serialize(auto &archive, Map<T> &map) {
    return archive(static_cast<std::vector<std::pair<std::string, T>> &>(map));
}

template <typename T>
constexpr auto serialize(auto &archive, const Map<T> &map) {
    return archive(static_cast<const std::vector<std::pair<std::string, T>> &>(map));
}

}  // namespace sb

#endif
