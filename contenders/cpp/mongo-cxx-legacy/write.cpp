#include <mongo/bson/bson.h>
#include <serbench/writer.h>

#include <cstdint>
#include <exception>
#include <stdexcept>

/* Both builders take the same calls, the one with a key before the value, the other without. */
template <class Builder, class... Key>
static void put(Builder &builder, const sb_value &value, const Key &...key);

static void fill(mongo::BSONObjBuilder &builder, const sb_value &map) {
    for (uint32_t i = 0; i < map.length; i++) {
        const sb_member &member = map.as.members[i];
        put(builder, member.value, mongo::StringData(member.key, member.key_length));
    }
}

static void fill(mongo::BSONArrayBuilder &builder, const sb_value &array) {
    for (uint32_t i = 0; i < array.length; i++) put(builder, array.as.items[i]);
}

template <class Builder, class... Key>
static void put_integer(Builder &builder, int64_t number, const Key &...key) {
    if (number >= INT32_MIN && number <= INT32_MAX)
        builder.append(key..., static_cast<int>(number));
    else
        builder.append(key..., static_cast<long long>(number));
}

template <class Builder, class... Key>
static void put(Builder &builder, const sb_value &value, const Key &...key) {
    switch (value.type) {
        case SB_NIL: builder.appendNull(key...); return;
        case SB_BOOL: builder.appendBool(key..., value.as.boolean); return;
        case SB_I64: put_integer(builder, value.as.i64, key...); return;
        case SB_U64:
            if (value.as.u64 > INT64_MAX) throw std::out_of_range("an integer above 2^63 - 1");
            put_integer(builder, static_cast<int64_t>(value.as.u64), key...);
            return;
        case SB_F64: builder.append(key..., value.as.f64); return;
        case SB_STR: builder.append(key..., mongo::StringData(value.as.str, value.length)); return;
        case SB_ARRAY: {
            mongo::BSONArrayBuilder child(builder.subarrayStart(key...));
            fill(child, value);
            child.doneFast();
            return;
        }
        default: {
            mongo::BSONObjBuilder child(builder.subobjStart(key...));
            fill(child, value);
            child.doneFast();
        }
    }
}

template <class Builder>
static mongo::BSONObj build(const sb_value &root) {
    Builder builder;
    fill(builder, root);
    return builder.obj();
}

bool sb_write(const sb_value *root, sb_output *out) try {
    const bool array = root->type == SB_ARRAY;
    const mongo::BSONObj document =
        array ? build<mongo::BSONArrayBuilder>(*root) : build<mongo::BSONObjBuilder>(*root);
    sb_output_block(out, document.objdata(), static_cast<size_t>(document.objsize()));
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return ""; }
