/* What bitsery must know of the structs and of the types of their fields. */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <bitsery/adapter/buffer.h>
#include <bitsery/bitsery.h>
#include <bitsery/ext/std_optional.h>
#include <bitsery/traits/string.h>
#include <bitsery/traits/vector.h>

#include "data.hpp"

namespace sb {

constexpr size_t MOST = 0x3FFFFFFF; /* elements: it has no way to write a larger size */

template <typename S>
struct Archive {
    S &s;

    void operator()(bool &value) const { s.boolValue(value); }
    void operator()(std::string &text) const { s.text1b(text, MOST); }
    template <typename T>
    std::enable_if_t<std::is_arithmetic_v<T>> operator()(T &value) const {
        s.template value<sizeof(T)>(value);
    }
    template <typename T>
    void operator()(std::optional<T> &value) const {
        s.ext(value, bitsery::ext::StdOptional{}, [](S &inner, T &there) { Archive{inner}(there); });
    }
    template <typename T>
    void operator()(std::vector<T> &items) const {
        if constexpr (std::is_arithmetic_v<T>)
            s.template container<sizeof(T)>(items, MOST);
        else
            s.container(items, MOST, [](S &inner, T &item) { Archive{inner}(item); });
    }
    template <typename T>
    void operator()(Map<T> &map) const {
        std::vector<std::pair<std::string, T>> &entries = map;
        s.container(entries, MOST, [](S &inner, std::pair<std::string, T> &entry) {
            Archive{inner}(entry.first);
            Archive{inner}(entry.second);
        });
    }
    template <typename T>
    std::enable_if_t<is_message<T>> operator()(T &message) const {
        T::fields(message, [&](std::string_view, auto &field, auto) { (*this)(field); });
    }
};

}  // namespace sb

const char *sb_library_version(void) {
    return SB_VERSION_3(BITSERY_MAJOR_VERSION, BITSERY_MINOR_VERSION, BITSERY_PATCH_VERSION);
}

#endif
