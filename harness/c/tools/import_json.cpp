#include "import_json.h"

#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "json_refusal.h"

namespace serbench {
namespace {

/* RapidJSON looks at no result of its allocator, so this one throws. */
class ThrowingAllocator {
   public:
    [[maybe_unused]] static constexpr bool kNeedFree = true; /* part of what RapidJSON asks of an allocator */
    void *Malloc(size_t size) { return Realloc(nullptr, 0, size); }
    void *Realloc(void *block, size_t, size_t size) {
        if (size == 0) {
            std::free(block);
            return nullptr;
        }
        void *moved = std::realloc(block, size);
        if (moved == nullptr) throw std::bad_alloc();
        return moved;
    }
    static void Free(void *block) { std::free(block); }
};

/* Sets `value` to the double nearest to a JSON number; false if that is beyond the largest. */
bool nearest_double(const char *begin, const char *end, double *value) {
    /* from_chars says "out of range" for what rounds to 0 too, and cuts exponents that only a literal of
     * hundreds of millions of digits needs; strtod knows both cases and is as exact, only slower. */
    const std::ptrdiff_t usual = 1 << 20;
    if (end - begin <= usual && std::from_chars(begin, end, *value).ec == std::errc()) return true;
    *value = std::strtod(std::string(begin, end).c_str(), nullptr);
    return *value <= __DBL_MAX__ && *value >= -__DBL_MAX__;
}

/* A key of a map that is still open. */
struct OpenKey {
    size_t hash;
    size_t tape;   /* offset of its bytes on the tape */
    size_t source; /* offset of its opening quote in the text */
    uint32_t length;
};

struct Container {
    size_t place;     /* for sb_tape_end */
    size_t first_key; /* in `keys_` */
};

class Importer {
   public:
    Importer(sb_tape *tape, const sb_text &text, JsonSource &source, sb_refusal *refusal)
        : tape_(tape), text_(text), source_(source), refusal_(refusal) {}

    bool Null() { return scalar(source_.Tell() - 4) && (sb_tape_nil(tape_), appended()); }
    bool Bool(bool value) {
        return scalar(source_.Tell() - (value ? 4 : 5)) && (sb_tape_bool(tape_, value), appended());
    }

    bool RawNumber(const char *, rapidjson::SizeType, bool) {
        const JsonSource::Token &number = source_.number();
        return scalar(offset(number.begin)) && append_number(number.begin, number.end) && appended();
    }

    bool String(const char *bytes, rapidjson::SizeType length, bool) {
        if (!scalar(offset(source_.string().begin)) || !surrogates_paired(bytes, length)) return false;
        sb_tape_str(tape_, bytes, length);
        return appended();
    }

    bool Key(const char *bytes, rapidjson::SizeType length, bool) {
        if (!surrogates_paired(bytes, length)) return false;
        sb_tape_key(tape_, bytes, length);
        keys_.push_back({std::hash<std::string_view>()({bytes, length}), tape_->size - length,
                         offset(source_.string().begin), length});
        return appended();
    }

    bool StartObject() { return start(SB_MAP); }
    bool StartArray() { return start(SB_ARRAY); }
    bool EndObject(rapidjson::SizeType count) { return keys_differ() && end(count); }
    bool EndArray(rapidjson::SizeType count) { return end(count); }

    /* The numbers come as RawNumber; RapidJSON asks for these all the same. */
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(int64_t) { return false; }
    bool Uint64(uint64_t) { return false; }
    bool Double(double) { return false; }

   private:
    size_t offset(const char *place) const { return static_cast<size_t>(place - text_.bytes); }

    bool refuse(size_t place, const char *sentence) {
        refuse_at(text_, place, refusal_, sentence);
        return false;
    }

    bool appended() {
        if (tape_->failed == nullptr) return true;
        throw std::bad_alloc(); /* the depth has been looked at: nothing else fails */
    }

    bool scalar(size_t place) {
        return !open_.empty() || refuse(place, "the root must be an array or an object");
    }

    bool start(sb_type type) {
        if (tape_->open == SB_MAX_DEPTH) return refuse(source_.Tell(), "nested deeper than 1,024 levels");
        size_t place = sb_tape_open(tape_, type);
        open_.push_back({place, keys_.size()});
        return appended();
    }

    bool end(uint32_t count) {
        sb_tape_end(tape_, open_.back().place, count);
        keys_.resize(open_.back().first_key);
        open_.pop_back();
        return appended();
    }

    bool append_number(const char *begin, const char *end) {
        auto is_fractional = [](char c) { return c == '.' || c == 'e' || c == 'E'; };
        std::string_view digits(begin, static_cast<size_t>(end - begin));
        bool integer = std::none_of(begin, end, is_fractional) && digits != "-0"; /* -0 is a double's */
        uint64_t natural;
        int64_t negative;
        double real;
        if (integer && *begin != '-' && std::from_chars(begin, end, natural).ec == std::errc())
            sb_tape_u64(tape_, natural);
        else if (integer && *begin == '-' && std::from_chars(begin, end, negative).ec == std::errc())
            sb_tape_i64(tape_, negative);
        else if (integer)
            return refuse(offset(begin), "this integer does not fit in 64 bits");
        else if (nearest_double(begin, end, &real))
            sb_tape_f64(tape_, real);
        else
            return refuse(offset(begin), "this number overflows a double");
        return true;
    }

    /* RapidJSON decodes a lone low surrogate (\udc00) to three bytes that are no UTF-8. */
    bool surrogates_paired(const char *bytes, size_t length) {
        const char *end = bytes + length;
        for (const char *c = bytes; c != end; c++) {
            c = static_cast<const char *>(std::memchr(c, 0xED, static_cast<size_t>(end - c)));
            if (c == nullptr) return true;
            if (static_cast<unsigned char>(c[1]) >= 0xA0) {
                refuse_surrogate(text_, source_, refusal_);
                return false;
            }
        }
        return true;
    }

    /* Looks for two equal keys in the map that ends, and refuses the earliest that repeats another. */
    bool keys_differ() {
        auto first = keys_.begin() + static_cast<std::ptrdiff_t>(open_.back().first_key);
        auto compare = [&](const OpenKey &a, const OpenKey &b) {
            if (a.hash != b.hash) return a.hash < b.hash ? -1 : 1;
            if (a.length != b.length) return a.length < b.length ? -1 : 1;
            return a.length == 0 ? 0 : std::memcmp(tape_->data + a.tape, tape_->data + b.tape, a.length);
        };
        std::sort(first, keys_.end(), [&](const OpenKey &a, const OpenKey &b) {
            int order = compare(a, b);
            return order != 0 ? order < 0 : a.source < b.source;
        });
        const OpenKey *repeated = nullptr;
        for (auto key = first; key != keys_.end(); ++key)
            if (key != first && compare(key[-1], key[0]) == 0)
                if (repeated == nullptr || key->source < repeated->source) repeated = &*key;
        return repeated == nullptr || refuse(repeated->source, "this key occurs twice in its object");
    }

    sb_tape *tape_;
    const sb_text &text_;
    JsonSource &source_;
    sb_refusal *refusal_;
    std::vector<OpenKey> keys_; /* of all open maps, the innermost last */
    std::vector<Container> open_;
};

bool import_text(sb_tape *tape, const sb_text &text, sb_refusal *refusal) {
    /* Iterative, so that no depth of nesting can exhaust the stack of calls. */
    const unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag |
                           rapidjson::kParseIterativeFlag;
    ThrowingAllocator allocator;
    rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator> reader(&allocator);
    JsonSource source(text);
    Importer importer(tape, text, source, refusal);
    rapidjson::ParseResult result = reader.Parse<flags>(source, importer);
    if (result.Code() == rapidjson::kParseErrorTermination) return false;
    if (result.IsError()) {
        refuse_syntax(text, source, result.Code(), result.Offset(), refusal);
        return false;
    }
    if (source.Tell() != text.size) { /* RapidJSON takes a NUL for the end */
        refuse_syntax(text, source, rapidjson::kParseErrorDocumentRootNotSingular, source.Tell(), refusal);
        return false;
    }
    return true;
}

}  // namespace
}  // namespace serbench

static bool is_blank(const sb_text &line) {
    return std::all_of(line.bytes, line.bytes + line.size,
                       [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

/* Each line that is not blank is a document of its own; places count in the whole file. */
static bool import_lines(sb_tape *tape, const sb_text &text, uint32_t *count, sb_refusal *refusal) {
    uint64_t number = 0;
    const char *const end = text.bytes + text.size;
    for (const char *at = text.bytes; at < end;) {
        const char *newline = static_cast<const char *>(memchr(at, '\n', static_cast<size_t>(end - at)));
        const char *stop = newline != nullptr ? newline : end;
        number++;
        sb_text line = {nullptr, at, static_cast<size_t>(stop - at)};
        at = stop + 1;
        if (is_blank(line)) continue;
        if (!serbench::import_text(tape, line, refusal)) {
            if (refusal->line != 0) refusal->line += number - 1;
            return false;
        }
        ++*count;
    }
    return true;
}

bool sb_import_messages(sb_tape *tape, const char *path, bool lines, uint32_t *count, sb_refusal *refusal) {
    sb_text text;
    if (!sb_text_read(&text, path, SB_MAX_JSON_BYTES, refusal)) return false;
    bool imported = false;
    try {
        if (lines) {
            imported = import_lines(tape, text, count, refusal);
        } else {
            imported = serbench::import_text(tape, text, refusal);
            ++*count;
        }
    } catch (const std::bad_alloc &) {
        sb_refuse(refusal, "there is not enough memory for this document");
    }
    sb_text_free(&text);
    return imported;
}

bool sb_import_json(sb_tape *tape, const char *path, sb_refusal *refusal) {
    uint32_t count = 0;
    return sb_import_messages(tape, path, false, &count, refusal);
}
