/* What a token's text means. jsmn has checked the escapes of strings; of primitives it knows the first
 * letter. */
#ifndef TEXT_H
#define TEXT_H

#include <errno.h>
#include <serbench/reader.h>
#include <stdlib.h>

static inline unsigned hex4(const char *digits) {
    char text[5] = {digits[0], digits[1], digits[2], digits[3], 0};
    return (unsigned)strtoul(text, NULL, 16);
}

static inline char *put_utf8(char *to, unsigned code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* An escape never is shorter than what it stands for, so that the text is unescaped where it stands. */
static inline void hash_string(sb_hash *h, char *from, const char *end) {
    static const char LETTERS[] = "bfnrt", MEANT[] = "\b\f\n\r\t";
    const char *plain = memchr(from, '\\', (size_t)(end - from));
    if (plain == NULL) {
        sb_hash_str(h, from, (size_t)(end - from));
        return;
    }
    char *begin = from, *to = from + (plain - from);
    for (from = to; from < end;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *letter = strchr(LETTERS, from[1]);
        if (from[1] != 'u') {
            *to++ = letter != NULL ? MEANT[letter - LETTERS] : from[1];
            from += 2;
            continue;
        }
        unsigned code = hex4(from + 2);
        from += 6;
        if (code >= 0xd800 && code < 0xdc00 && end - from >= 6 && from[0] == '\\' && from[1] == 'u') {
            code = 0x10000 + ((code - 0xd800) << 10) + (hex4(from + 2) - 0xdc00);
            from += 6;
        }
        to = put_utf8(to, code);
    }
    sb_hash_str(h, begin, (size_t)(to - begin));
}

static inline bool hash_primitive(sb_hash *h, const char *text, size_t length) {
    char *end;
    errno = 0;
    if (length == 4 && memcmp(text, "true", 4) == 0) return sb_hash_bool(h, true), true;
    if (length == 5 && memcmp(text, "false", 5) == 0) return sb_hash_bool(h, false), true;
    if (length == 4 && memcmp(text, "null", 4) == 0) return sb_hash_nil(h), true;
    if (memchr(text, '.', length) || memchr(text, 'e', length) || memchr(text, 'E', length)) {
        double number = strtod(text, &end);
        if (!isfinite(number)) return sb_fail("a double out of range");
        sb_hash_f64(h, number);
        errno = 0; /* it may only have been a subnormal */
    } else if (*text == '-') {
        sb_hash_i64(h, strtoll(text, &end, 10));
    } else {
        sb_hash_u64(h, strtoull(text, &end, 10));
    }
    return (errno == 0 && end == text + length) || sb_fail("neither a literal nor a number of 64 bits");
}

#endif
