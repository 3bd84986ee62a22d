#include <serbench/reader.h>

#include "parser.h"

namespace ondemand = simdjson::ondemand;

/* Of a document or of a value in it. */
template <class Value>
static void element(Value &value, sb_hash *h);

static void hash_number(const ondemand::number &number, sb_hash *h) {
    switch (number.get_number_type()) {
        case ondemand::number_type::signed_integer: sb_hash_i64(h, number.get_int64()); return;
        case ondemand::number_type::unsigned_integer: sb_hash_u64(h, number.get_uint64()); return;
        default: sb_hash_f64(h, number.get_double()); return;
    }
}

static void hash_string(std::string_view text, sb_hash *h) { sb_hash_str(h, text.data(), text.size()); }

static void elements(ondemand::array array, sb_hash *h) {
    size_t count = 0;
    for (ondemand::value item : array) element(item, h), count++;
    sb_hash_count(h, count);
}

static void members(ondemand::object object, sb_hash *h) {
    size_t count = 0;
    for (ondemand::field field : object) {
        hash_string(field.unescaped_key(), h);
        element(field.value(), h), count++;
    }
    sb_hash_count(h, count);
}

template <class Value>
static void element(Value &value, sb_hash *h) {
    switch (ondemand::json_type(value.type())) {
        case ondemand::json_type::array: return elements(value.get_array(), h);
        case ondemand::json_type::object: return members(value.get_object(), h);
        case ondemand::json_type::number: return hash_number(value.get_number(), h);
        case ondemand::json_type::string: return hash_string(value.get_string(), h);
        case ondemand::json_type::boolean: return sb_hash_bool(h, value.get_bool());
        default:
            if (!value.is_null()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
            sb_hash_nil(h);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    PARSER_STORAGE ondemand::parser parser;
    ondemand::document document = parser.iterate(data, size, size + simdjson::SIMDJSON_PADDING);
    element(document, h);
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS ||
           sb_fail("more than one document");
} catch (const simdjson::simdjson_error &error) {
    return sb_fail("%s", error.what());
}

/* On-Demand finds the structure with the kernel chosen at run time, and decodes what is compiled in. */
const char *sb_library_version(void) {
    static const std::string text =
        simdjson_version() + ", On-Demand " + simdjson::builtin_implementation()->name() + ")";
    return text.c_str();
}
