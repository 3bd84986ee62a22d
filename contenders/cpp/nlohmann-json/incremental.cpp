#include <serbench/reader.h>

#include <exception>
#include <string>
#include <vector>

#include "format.h"

/* Most formats do not say beforehand how many elements a container has: they are counted. */
struct Handler : nlohmann::json_sax<Json> {
    explicit Handler(sb_hash *hash) : h(hash) {}
    bool null() override { return sb_hash_nil(element()), true; }
    bool boolean(bool value) override { return sb_hash_bool(element(), value), true; }
    bool number_integer(int64_t value) override { return sb_hash_i64(element(), value), true; }
    bool number_unsigned(uint64_t value) override { return sb_hash_u64(element(), value), true; }
    bool number_float(double value, const std::string &) override {
        return sb_hash_f64(element(), value), true;
    }
    bool string(std::string &text) override { return sb_hash_str(element(), text.data(), text.size()), true; }
    bool binary(binary_t &) override { return sb_fail("unexpected binary data"); }
    bool start_object(size_t) override { return start(); }
    bool start_array(size_t) override { return start(); }
    bool end_object() override { return end(); }
    bool end_array() override { return end(); }
    bool key(std::string &text) override {
        const bool index = ROOT_IS_DOCUMENT && sb_root_is_array && counts.size() == 2;
        if (!index) sb_hash_str(h, text.data(), text.size());
        return true;
    }
    bool parse_error(size_t, const std::string &, const nlohmann::json::exception &error) override {
        return sb_fail("%s", error.what());
    }

   private:
    sb_hash *element() { return counts.back()++, h; }
    bool start() { return element(), counts.push_back(0), true; }
    bool end() { return sb_hash_count(h, counts.back()), counts.pop_back(), true; }
    sb_hash *h;
    std::vector<uint32_t> counts{0}; /* of the open containers, after the root's own place */
};

bool sb_read(char *data, size_t size, sb_hash *h) try {
    Handler handler(h);
    return Json::sax_parse(data, data + size, &handler, INPUT_FORMAT);
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
