/* The canonical JSON encoder: minified UTF-8, and of each double the fewest digits that give it back.
 * Strings are escaped as RapidJSON's Writer escapes them: what must be, and in the short form if any. */
#include <serbench/writer.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

static void put_string(std::string &text, const char *bytes, size_t length) {
    static const char HEX[] = "0123456789ABCDEF";
    static const char ESCAPED[] = "\b\t\n\f\r\"\\", LETTERS[] = "btnfr\"\\";
    text += '"';
    size_t plain = 0; /* where the bytes begin that need no escape */
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = static_cast<unsigned char>(bytes[i]);
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        text.append(bytes + plain, i - plain);
        plain = i + 1;
        const size_t place = std::string_view(ESCAPED).find(static_cast<char>(c));
        if (place != std::string_view::npos)
            text.append({'\\', LETTERS[place]});
        else
            text.append({'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]});
    }
    text.append(bytes + plain, length - plain);
    text += '"';
}

template <class Number>
static void put_number(std::string &text, Number number) {
    char digits[32];
    const char *end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    const std::string_view written(digits, static_cast<size_t>(end - digits));
    text += written;
    /* A double stays a double for readers that tell the two apart by their text. */
    if (std::is_floating_point_v<Number> && written.find_first_of(".e") == written.npos) text += ".0";
}

#ifdef PRETTY /* every element on a line of its own, indented by tabs */
static void line(std::string &text, unsigned depth) { text.append(1, '\n').append(depth, '\t'); }
static const char *const COLON = ": ";
#else
static void line(std::string &, unsigned) {}
static const char *const COLON = ":";
#endif

static bool put(std::string &text, const sb_value &value, unsigned depth) {
    switch (value.type) {
        case SB_NIL: text += "null"; return true;
        case SB_BOOL: text += value.as.boolean ? "true" : "false"; return true;
        case SB_I64: put_number(text, value.as.i64); return true;
        case SB_U64: put_number(text, value.as.u64); return true;
        case SB_F64:
            if (!std::isfinite(value.as.f64)) return sb_fail("JSON has no infinity and no NaN");
            put_number(text, value.as.f64);
            return true;
        case SB_STR: put_string(text, value.as.str, value.length); return true;
        default: break;
    }
    const bool map = value.type == SB_MAP;
    text += map ? '{' : '[';
    for (uint32_t i = 0; i < value.length; i++) {
        if (i > 0) text += ',';
        line(text, depth + 1);
        if (map) {
            put_string(text, value.as.members[i].key, value.as.members[i].key_length);
            text += COLON;
        }
        if (!put(text, map ? value.as.members[i].value : value.as.items[i], depth + 1)) return false;
    }
    if (value.length > 0) line(text, depth);
    text += map ? '}' : ']';
    return true;
}

bool sb_write(const sb_value *root, sb_output *out) {
    std::string text;
    if (!put(text, *root, 0)) return false;
    sb_output_block(out, text.data(), text.size());
    return true;
}

const char *sb_library_version(void) { return "1"; }
