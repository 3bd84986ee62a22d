/* How structs and ordered maps become values of Boost.JSON, and these become structs again. */
#ifndef CONVERT_H
#define CONVERT_H

#include <boost/json/src.hpp>

#include "data.hpp"
#include "version.h"

namespace sb {

namespace json = boost::json;

template <typename T>
std::enable_if_t<is_message<T>> tag_invoke(json::value_from_tag, json::value &to, const T &message) {
    json::object &object = to.emplace_object();
    T::fields(message, [&](std::string_view key, const auto &field, auto presence) {
        const json::string_view name(key.data(), key.size());
        if constexpr (std::is_same_v<decltype(presence), Optional>) {
            if (field) object.emplace(name, json::value_from(*field));
        } else {
            object.emplace(name, json::value_from(field));
        }
    });
}

template <typename T>
std::enable_if_t<is_message<T>, T> tag_invoke(json::value_to_tag<T>, const json::value &from) {
    T message{};
    const json::object &object = from.as_object();
    T::fields(message, [&](std::string_view key, auto &field, auto presence) {
        using Field = std::decay_t<decltype(field)>;
        const json::string_view name(key.data(), key.size());
        if constexpr (std::is_same_v<decltype(presence), Optional>) {
            const json::value *found = object.if_contains(name);
            if (found) field.emplace(json::value_to<typename Field::value_type>(*found));
        } else {
            field = json::value_to<Field>(object.at(name));
        }
    });
    return message;
}

template <typename T>
void tag_invoke(json::value_from_tag, json::value &to, const Map<T> &map) {
    json::object &object = to.emplace_object();
    for (const auto &[key, value] : map) object.emplace(key, json::value_from(value));
}

template <typename T>
Map<T> tag_invoke(json::value_to_tag<Map<T>>, const json::value &from) {
    Map<T> map;
    map.reserve(from.as_object().size());
    for (const auto &member : from.get_object())
        map.emplace_back(std::string(member.key()), json::value_to<T>(member.value()));
    return map;
}

}  // namespace sb

#endif
