/* The input as RapidJSON's reader sees it, which leaves numbers to us.
 *
 * RapidJSON judges the size of a number even where it is asked for the digits only: it refuses 0e400,
 * and four hundred digits with e-300. So every well-formed number is shown to it as the one character
 * '0', and a malformed one as a character that begins nothing. */
#ifndef SERBENCH_JSON_SOURCE_H
#define SERBENCH_JSON_SOURCE_H

#include <cstddef>

#include "text_input.h"

namespace serbench {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The end of the longest JSON number that begins at `at`, or nullptr if there is none, or if it goes on
 * as no number may ("1.", "1e", "1.5.5"). */
inline const char *number_end(const char *at, const char *end) {
    auto digits = [&] {
        const char *begin = at;
        while (at != end && is_digit(*at)) at++;
        return at != begin;
    };
    if (at != end && *at == '-') at++;
    if (at != end && *at == '0')
        at++;
    else if (!digits())
        return nullptr;
    if (at != end && *at == '.') {
        at++;
        if (!digits()) return nullptr;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at != end && (*at == '+' || *at == '-')) at++;
        if (!digits()) return nullptr;
    }
    return at != end && (*at == '.' || *at == 'e' || *at == 'E') ? nullptr : at;
}

class JsonSource {
   public:
    using Ch = char;
    struct Token {
        const char *begin = nullptr;
        const char *end = nullptr;
    };

    explicit JsonSource(const sb_text &text)
        : begin_(text.bytes), at_(text.bytes), end_(text.bytes + text.size), string_{at_, at_} {}

    /* The string or key last begun, with its quotes; it ends with the text where the last one is missing. */
    const Token &string() const { return string_; }
    /* The number last taken. */
    const Token &number() const { return number_; }

    Ch Peek() {
        if (at_ == end_) return '\0';
        return begins_number() ? (number_here() ? '0' : '\x01') : *at_;
    }

    Ch Take() {
        if (at_ == end_) return '\0';
        if (begins_number() && number_here()) {
            number_ = next_;
            at_ = next_.end;
            return '0';
        }
        if (*at_ == '"' && at_ >= string_.end) begin_string();
        return *at_++;
    }

    size_t Tell() const { return static_cast<size_t>(at_ - begin_); }

    /* RapidJSON wants these of any stream, and calls them only when it parses in place. */
    Ch *PutBegin() { return nullptr; }
    void Put(Ch) {}
    void Flush() {}
    size_t PutEnd(Ch *) { return 0; }

   private:
    bool begins_number() const { return (*at_ == '-' || is_digit(*at_)) && at_ >= string_.end; }

    bool number_here() {
        if (next_.begin != at_) next_ = {at_, number_end(at_, end_)};
        return next_.end != nullptr;
    }

    void begin_string() {
        string_.begin = at_;
        const char *c = at_ + 1;
        while (c < end_ && *c != '"') c += *c == '\\' ? 2 : 1;
        string_.end = c < end_ ? c + 1 : end_;
    }

    const char *begin_;
    const char *at_;
    const char *end_;
    Token string_;
    Token number_;
    Token next_; /* what number_here found, kept because it is asked several times at one place */
};

}  // namespace serbench

#endif
