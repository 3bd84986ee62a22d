#include "json_refusal.h"

#include <cstring>
#include <string>

namespace serbench {
namespace {

bool in_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.' || c == '_';
}

bool is_nan_or_infinity(std::string word) {
    for (char &c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (word[0] == '-' || word[0] == '+') word.erase(0, 1);
    return word == "nan" || word == "inf" || word == "infinity";
}

const char *bad_word(const sb_text &text, size_t begin) {
    size_t end = begin;
    while (end < text.size && end < begin + 16 && in_word(text.bytes[end])) end++;
    if (is_nan_or_infinity(std::string(text.bytes + begin, end - begin)))
        return "JSON has no NaN and no infinities";
    char c = text.bytes[begin];
    return is_digit(c) || c == '-' || c == '+' || c == '.' ? "this is not a JSON number"
                                                           : "this is not a JSON value";
}

const char *in_string(rapidjson::ParseErrorCode code) {
    switch (code) {
        case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
            return "\\u must be followed by four hexadecimal digits";
        case rapidjson::kParseErrorStringInvalidEncoding: return "this is not valid UTF-8";
        default: return nullptr;
    }
}

const char *expected(rapidjson::ParseErrorCode code) {
    switch (code) {
        case rapidjson::kParseErrorDocumentRootNotSingular:
            return "something follows the end of the document";
        case rapidjson::kParseErrorObjectMissName: return "a key in double quotes is expected here";
        case rapidjson::kParseErrorObjectMissColon: return "a ':' is expected here";
        case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket: return "a ',' or a '}' is expected here";
        case rapidjson::kParseErrorArrayMissCommaOrSquareBracket: return "a ',' or a ']' is expected here";
        default: return "a value is expected here";
    }
}

}  // namespace

void refuse_at(const sb_text &text, size_t offset, sb_refusal *refusal, const char *sentence) {
    sb_refuse(refusal, "%s", sentence);
    sb_text_place(&text, offset, refusal);
}

void refuse_surrogate(const sb_text &text, const JsonSource &source, sb_refusal *refusal) {
    const char *end = source.string().end;
    /* Does an escape \udXYY begin at `c`, with X among `digits`? */
    auto surrogate = [end](const char *c, const char *digits) {
        return end - c >= 6 && c[0] == '\\' && c[1] == 'u' && (c[2] | 0x20) == 'd' &&
               std::strchr(digits, c[3]) != nullptr;
    };
    const char *c = source.string().begin;
    while (c < end) {
        bool high = surrogate(c, "89abAB"), low = surrogate(c, "cdefCDEF");
        bool pair = high && surrogate(c + 6, "cdefCDEF");
        if ((high || low) && !pair) break;
        c += pair ? 12 : *c == '\\' ? 2 : 1;
    }
    refuse_at(text, static_cast<size_t>(c - text.bytes), refusal,
              "this \\u escape is half of a surrogate pair");
}

void refuse_syntax(const sb_text &text, const JsonSource &source, rapidjson::ParseErrorCode code,
                   size_t offset, sb_refusal *refusal) {
    bool at_end = offset >= text.size;
    char c = at_end ? '\0' : text.bytes[offset];

    bool open_string = code == rapidjson::kParseErrorStringMissQuotationMark && at_end;
    bool open_escape =
        code == rapidjson::kParseErrorStringEscapeInvalid && offset + 1 == text.size && c == '\\';
    if (open_string || open_escape)
        return refuse_at(text, static_cast<size_t>(source.string().begin - text.bytes), refusal,
                         "the string that begins here does not end");
    if (code == rapidjson::kParseErrorStringMissQuotationMark ||
        (code == rapidjson::kParseErrorStringEscapeInvalid && c != '\\'))
        return refuse_at(text, offset, refusal, "a control character in a string must be escaped");
    if (code == rapidjson::kParseErrorStringEscapeInvalid)
        return refuse_at(text, offset, refusal, "JSON has no such escape");
    if (code == rapidjson::kParseErrorStringUnicodeSurrogateInvalid)
        return refuse_surrogate(text, source, refusal);
    if (const char *sentence = in_string(code)) return refuse_at(text, offset, refusal, sentence);

    if (code == rapidjson::kParseErrorDocumentEmpty && at_end)
        return refuse_at(text, offset, refusal,
                         text.size == 0 ? "the file is empty" : "the file holds nothing but white space");
    if (at_end) return refuse_at(text, offset, refusal, "the file ends before the document does");
    if (sb_utf8_sequence(text.bytes + offset, text.size - offset) == 0)
        return refuse_at(text, offset, refusal, "this is not valid UTF-8");
    if (c == '/') return refuse_at(text, offset, refusal, "JSON has no comments");

    /* RapidJSON stops inside a wrong word ("nul", "truex", "01"): its beginning is the place. */
    size_t begin = offset;
    bool value_expected =
        code == rapidjson::kParseErrorValueInvalid || code == rapidjson::kParseErrorDocumentEmpty;
    if (in_word(c) || value_expected)
        while (begin > 0 && in_word(text.bytes[begin - 1])) begin--;
    if (begin < offset || (value_expected && in_word(c)))
        return refuse_at(text, begin, refusal, bad_word(text, begin));
    refuse_at(text, offset, refusal, expected(code));
}

}  // namespace serbench
