#include <serbench/lookup.h>

#include "parser.h"

namespace ondemand = simdjson::ondemand;

static void hash_number(const ondemand::number &number, sb_hash *h) {
    switch (number.get_number_type()) {
        case ondemand::number_type::signed_integer: sb_hash_i64(h, number.get_int64()); return;
        case ondemand::number_type::unsigned_integer: sb_hash_u64(h, number.get_uint64()); return;
        default: sb_hash_f64(h, number.get_double()); return;
    }
}

static bool hash_scalar(ondemand::value value, sb_hash *h) {
    switch (ondemand::json_type(value.type())) {
        case ondemand::json_type::array:
        case ondemand::json_type::object: return false;
        case ondemand::json_type::number: hash_number(value.get_number(), h); return true;
        case ondemand::json_type::string: {
            const std::string_view text = value.get_string();
            sb_hash_str(h, text.data(), text.size());
            return true;
        }
        case ondemand::json_type::boolean: sb_hash_bool(h, value.get_bool()); return true;
        default:
            if (!value.is_null()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
            sb_hash_nil(h);
            return true;
    }
}

static bool leads_nowhere(simdjson::error_code error) {
    return error == simdjson::NO_SUCH_FIELD || error == simdjson::INDEX_OUT_OF_BOUNDS ||
           error == simdjson::INVALID_JSON_POINTER || error == simdjson::INCORRECT_TYPE;
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) try {
    PARSER_STORAGE ondemand::parser parser;
    ondemand::document document = parser.iterate(data, size, size + simdjson::SIMDJSON_PADDING);
    for (size_t i = 0; i < count; i++) {
        const std::string_view pointer(paths[i].pointer, paths[i].pointer_length);
        ondemand::value value;
        const simdjson::error_code error = document.at_pointer(pointer).get(value);
        if (leads_nowhere(error)) return sb_missing(&paths[i]);
        if (error != simdjson::SUCCESS) throw simdjson::simdjson_error(error);
        if (!hash_scalar(value, h)) return sb_missing(&paths[i]);
    }
    return true;
} catch (const simdjson::simdjson_error &error) {
    return sb_fail("%s", error.what());
}

/* On-Demand finds the structure with the kernel chosen at run time, and decodes what is compiled in. */
const char *sb_library_version(void) {
    static const std::string text =
        simdjson_version() + ", On-Demand " + simdjson::builtin_implementation()->name() + ")";
    return text.c_str();
}
