/* A number that YAJL hands over as text. */
#ifndef NUMBER_H
#define NUMBER_H

#include <errno.h>
#include <serbench/reader.h>
#include <stdlib.h>

static inline bool hash_number(sb_hash *h, const char *text, size_t length) {
    errno = 0;
    if (memchr(text, '.', length) || memchr(text, 'e', length) || memchr(text, 'E', length)) {
        double number = strtod(text, NULL);
        if (!isfinite(number)) return sb_fail("a double out of range");
        sb_hash_f64(h, number);
        return true; /* ERANGE may only mean a subnormal */
    }
    if (text[0] == '-')
        sb_hash_i64(h, strtoll(text, NULL, 10));
    else
        sb_hash_u64(h, strtoull(text, NULL, 10));
    return errno == 0 || sb_fail("an integer beyond 64 bits");
}

#endif
