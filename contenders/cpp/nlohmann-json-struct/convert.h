/* How structs, optionals and ordered maps become values of nlohmann-json, and these become structs again. */
#ifndef CONVERT_H
#define CONVERT_H

#include <nlohmann/json.hpp>

#include "data.hpp"

using Json = nlohmann::ordered_json;

namespace nlohmann {

template <typename T>
struct adl_serializer<T, std::enable_if_t<sb::is_message<T>>> {
    static void to_json(Json &json, const T &message) {
        json = Json::object();
        T::fields(message, [&](std::string_view key, const auto &field, auto presence) {
            if constexpr (std::is_same_v<decltype(presence), sb::Optional>) {
                if (field) json.emplace(std::string(key), *field);
            } else {
                json.emplace(std::string(key), field);
            }
        });
    }
    static void from_json(const Json &json, T &message) {
        T::fields(message, [&](std::string_view key, auto &field, auto presence) {
            if constexpr (std::is_same_v<decltype(presence), sb::Optional>) {
                const auto found = json.find(std::string(key));
                if (found != json.end()) found->get_to(field.emplace());
            } else {
                json.at(std::string(key)).get_to(field);
            }
        });
    }
};

template <typename T>
struct adl_serializer<std::optional<T>> {
    static void to_json(Json &json, const std::optional<T> &value) {
        if (value)
            json = *value;
        else
            json = nullptr;
    }
    static void from_json(const Json &json, std::optional<T> &value) {
        if (json.is_null())
            value.reset();
        else
            json.get_to(value.emplace());
    }
};

template <typename T>
struct adl_serializer<sb::Map<T>> {
    static void to_json(Json &json, const sb::Map<T> &map) {
        json = Json::object();
        for (const auto &[key, value] : map) json.emplace(key, value);
    }
    static void from_json(const Json &json, sb::Map<T> &map) {
        map.reserve(json.size());
        for (const auto &[key, value] : json.items()) map.emplace_back(key, value.template get<T>());
    }
};

}  // namespace nlohmann

const char *sb_library_version(void) {
    return SB_VERSION_3(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                        NLOHMANN_JSON_VERSION_PATCH);
}

#endif
