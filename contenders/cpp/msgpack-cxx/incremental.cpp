#include <serbench/reader.h>

#include <exception>
#include <msgpack.hpp>

/* The end of a container does not say how many elements it had: its start does. */
struct Visitor : msgpack::null_visitor {
    explicit Visitor(sb_hash *hash) : h(hash) {}
    bool visit_nil() { return sb_hash_nil(h), true; }
    bool visit_boolean(bool value) { return sb_hash_bool(h, value), true; }
    bool visit_positive_integer(uint64_t value) { return sb_hash_u64(h, value), true; }
    bool visit_negative_integer(int64_t value) { return sb_hash_i64(h, value), true; }
    bool visit_float32(float value) { return sb_hash_f64(h, static_cast<double>(value)), true; }
    bool visit_float64(double value) { return sb_hash_f64(h, value), true; }
    bool visit_str(const char *bytes, uint32_t length) { return sb_hash_str(h, bytes, length), true; }
    bool visit_bin(const char *, uint32_t) { return sb_fail("unexpected binary data"); }
    bool visit_ext(const char *, uint32_t) { return sb_fail("unexpected extension"); }
    bool start_array(uint32_t count) { return start(count); }
    bool end_array() { return end(); }
    bool start_map(uint32_t count) { return start(count); }
    bool end_map() { return end(); }
    void parse_error(size_t, size_t at) { (void)sb_fail("parse error at byte %zu", at); }
    void insufficient_bytes(size_t, size_t at) { (void)sb_fail("the data end at byte %zu", at); }

    bool start(uint32_t count) {
        if (depth == sizeof counts / sizeof counts[0]) return sb_fail("nested too deep");
        counts[depth++] = count;
        return true;
    }
    bool end() { return sb_hash_count(h, counts[--depth]), true; }

    sb_hash *h;
    unsigned depth = 0;
    uint32_t counts[1024];
};

bool sb_read(char *data, size_t size, sb_hash *h) try {
    Visitor visitor(h);
    return msgpack::parse(data, size, visitor);
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return msgpack_version(); }
