#include <daw/json/daw_json_event_parser.h>
#include <serbench/reader.h>

#include <stdexcept>
#include <vector>

#include "scalar.h"

namespace json = daw::json;

/* The library does not say how many elements a container has: they are counted. It finds the functions that
 * take a value only if they are templates. */
struct Handler {
    template <typename Pair>
    bool handle_on_value(const Pair &pair) {
        counts.back()++;
        if (pair.name) key(*pair.name);
        return true;
    }
    template <typename T>
    bool handle_on_array_start(const T &) {
        return start();
    }
    template <typename T>
    bool handle_on_class_start(const T &) {
        return start();
    }
    bool handle_on_array_end() { return end(); }
    bool handle_on_class_end() { return end(); }
    template <typename T>
    bool handle_on_number(const T &value) {
        return hash_number(value, h), true;
    }
    template <typename T>
    bool handle_on_string(const T &value) {
        return hash_string(value, h), true;
    }
    bool handle_on_bool(bool value) { return sb_hash_bool(h, value), true; }
    bool handle_on_null() { return sb_hash_nil(h), true; }
    template <typename T>
    bool handle_on_error(const T &) {
        throw std::runtime_error("a value of no type");
    }

    /* A key comes as it is written, between its quotes. */
    void key(std::string_view name) {
        if (name.find('\\') == name.npos) return sb_hash_str(h, name.data(), name.size());
        const auto text = json::from_json<std::string>(std::string_view(name.data() - 1, name.size() + 2));
        sb_hash_str(h, text.data(), text.size());
    }
    bool start() { return counts.push_back(0), true; }
    bool end() { return sb_hash_count(h, counts.back()), counts.pop_back(), true; }

    sb_hash *h;
    std::vector<uint32_t> counts{0}; /* of the open containers, after the root's own place */
};

bool sb_read(char *data, size_t size, sb_hash *h) try {
    json::json_event_parser(Value(std::string_view(data, size)), Handler{h});
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
