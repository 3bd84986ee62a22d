#include <sajson.h>
#include <serbench/reader.h>

#ifdef DYNAMIC
using Allocation = sajson::dynamic_allocation;
#else
using Allocation = sajson::single_allocation;
#endif

static void walk(const sajson::value &value, sb_hash *h) {
    switch (value.get_type()) {
        case sajson::TYPE_NULL: sb_hash_nil(h); return;
        case sajson::TYPE_FALSE: sb_hash_bool(h, false); return;
        case sajson::TYPE_TRUE: sb_hash_bool(h, true); return;
        case sajson::TYPE_INTEGER: sb_hash_i64(h, value.get_integer_value()); return;
        case sajson::TYPE_DOUBLE: sb_hash_f64(h, value.get_double_value()); return;
        case sajson::TYPE_STRING: sb_hash_str(h, value.as_cstring(), value.get_string_length()); return;
        case sajson::TYPE_ARRAY:
            for (size_t i = 0; i < value.get_length(); i++) walk(value.get_array_element(i), h);
            sb_hash_count(h, value.get_length());
            return;
        case sajson::TYPE_OBJECT:
            for (size_t i = 0; i < value.get_length(); i++) {
                const sajson::string key = value.get_object_key(i);
                sb_hash_str(h, key.data(), key.length());
                walk(value.get_object_value(i), h);
            }
            sb_hash_count(h, value.get_length());
            return;
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    const sajson::document document = sajson::parse(Allocation(), sajson::mutable_string_view(size, data));
    if (!document.is_valid())
        return sb_fail("%s in line %zu, column %zu", document.get_error_message_as_cstring(),
                       document.get_error_line(), document.get_error_column());
    walk(document.get_root(), h);
    return true;
}

const char *sb_library_version(void) { return ""; }
