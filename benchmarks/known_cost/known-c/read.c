/* A reader of known cost: steps, as many as the input begins with, then the hash of values that are
 * there: of all kinds, or where a letter follows of texts, integers, doubles or none. */
#include <serbench/reader.h>
#include <stdlib.h>

#include "steps.h"

enum { TEXTS = 64, LENGTH = 1000, NUMBERS = 1000, SOME = 100 };

static char texts[TEXTS][LENGTH];

bool sb_setup(void) {
    memset(texts, 'x', sizeof texts);
    return true;
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    const char kind = data[8];
    const int many = kind == 'a' ? SOME : NUMBERS;
    (void)size;
    keep(take_steps(strtoull(data, NULL, 10)));
    for (int i = 0; i < TEXTS && (kind == 'a' || kind == 't'); i++) {
        sb_hash_str(h, texts[i], sizeof texts[i]);
        apart(h);
    }
    for (int i = 0; i < many && (kind == 'a' || kind == 'i'); i++) {
        sb_hash_u64(h, (uint64_t)i * 1234567);
        apart(h);
    }
    for (int i = 0; i < many && (kind == 'a' || kind == 'd'); i++) {
        sb_hash_f64(h, i + 0.5);
        apart(h);
    }
    sb_hash_count(h, TEXTS);
    return true;
}

const char *sb_library_version(void) { return ""; }
