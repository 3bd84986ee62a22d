#include <serbench/reader.h>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>

#include "version.h"

namespace json = boost::json;
using Error = boost::system::error_code;
using Text = json::string_view;

/* A string or key whose text has an escape comes in parts, which are put together here. */
struct Handler {
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

    sb_hash *h = nullptr;
    std::string parts{};

    bool on_document_begin(Error &) { return true; }
    bool on_document_end(Error &) { return true; }
    bool on_object_begin(Error &) { return true; }
    bool on_array_begin(Error &) { return true; }
    bool on_object_end(std::size_t count, Error &) { return sb_hash_count(h, count), true; }
    bool on_array_end(std::size_t count, Error &) { return sb_hash_count(h, count), true; }
    bool on_key_part(Text text, std::size_t, Error &) { return part(text); }
    bool on_key(Text text, std::size_t, Error &) { return whole(text); }
    bool on_string_part(Text text, std::size_t, Error &) { return part(text); }
    bool on_string(Text text, std::size_t, Error &) { return whole(text); }
    bool on_number_part(Text, Error &) { return true; }
    bool on_int64(std::int64_t value, Text, Error &) { return sb_hash_i64(h, value), true; }
    bool on_uint64(std::uint64_t value, Text, Error &) { return sb_hash_u64(h, value), true; }
    bool on_double(double value, Text, Error &) { return sb_hash_f64(h, value), true; }
    bool on_bool(bool value, Error &) { return sb_hash_bool(h, value), true; }
    bool on_null(Error &) { return sb_hash_nil(h), true; }
    bool on_comment_part(Text, Error &) { return true; }
    bool on_comment(Text, Error &) { return true; }

   private:
    bool part(Text text) { return parts.append(text.data(), text.size()), true; }
    bool whole(Text text) {
        if (parts.empty()) return sb_hash_str(h, text.data(), text.size()), true;
        part(text);
        sb_hash_str(h, parts.data(), parts.size());
        parts.clear();
        return true;
    }
};

bool sb_read(char *data, size_t size, sb_hash *h) {
    json::basic_parser<Handler> parser{json::parse_options{}};
    parser.handler().h = h;
    Error error;
    const std::size_t read = parser.write_some(false, data, size, error);
    if (error) return sb_fail("%s", error.message().c_str());
    return read == size || sb_fail("more than one document");
}
