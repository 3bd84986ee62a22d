#include <serbench/reader.h>

#include <exception>
#include <system_error>
#include <vector>

#include "format.h"

using Context = jsoncons::ser_context;
using Tag = jsoncons::semantic_tag;
using Text = jsoncons::string_view;

/* Text does not say beforehand how many elements a container has: they are counted. */
struct Visitor : jsoncons::default_json_visitor {
    explicit Visitor(sb_hash *hash) : h(hash) {}

   private:
    sb_hash *h;
    std::vector<uint32_t> counts{0}; /* of the open containers, after the root's own place */

    sb_hash *element() { return counts.back()++, h; }
    void start() { element(), counts.push_back(0); }
    void end() { sb_hash_count(h, counts.back()), counts.pop_back(); }

    bool visit_begin_object(Tag, const Context &, std::error_code &) override { return start(), true; }
    bool visit_end_object(const Context &, std::error_code &) override { return end(), true; }
    bool visit_begin_array(Tag, const Context &, std::error_code &) override { return start(), true; }
    bool visit_end_array(const Context &, std::error_code &) override { return end(), true; }
    bool visit_key(const Text &text, const Context &, std::error_code &) override {
        return sb_hash_str(h, text.data(), text.size()), true;
    }
    bool visit_string(const Text &text, Tag, const Context &, std::error_code &) override {
        return sb_hash_str(element(), text.data(), text.size()), true;
    }
    bool visit_null(Tag, const Context &, std::error_code &) override { return sb_hash_nil(element()), true; }
    bool visit_bool(bool value, Tag, const Context &, std::error_code &) override {
        return sb_hash_bool(element(), value), true;
    }
    bool visit_int64(int64_t value, Tag, const Context &, std::error_code &) override {
        return sb_hash_i64(element(), value), true;
    }
    bool visit_uint64(uint64_t value, Tag, const Context &, std::error_code &) override {
        return sb_hash_u64(element(), value), true;
    }
    /* What the default visitor would drop: bytes, which the data do not have, and halves of CBOR. */
    bool visit_byte_string(const jsoncons::byte_string_view &, Tag, const Context &,
                           std::error_code &error) override {
        return error = std::make_error_code(std::errc::not_supported), false;
    }
    bool visit_half(uint16_t value, Tag tag, const Context &context, std::error_code &error) override {
        return visit_double(jsoncons::binary::decode_half(value), tag, context, error);
    }
    bool visit_double(double value, Tag, const Context &, std::error_code &) override {
        return sb_hash_f64(element(), value), true;
    }
};

bool sb_read(char *data, size_t size, sb_hash *h) try {
    Visitor visitor(h);
    Reader reader(input(data, size), visitor);
    reader.read();
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}
