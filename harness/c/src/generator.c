#include "generator.h"

#include "random.h"

enum { MAX_KEY = 10, MAX_STRING = 2048, MAX_ENTRIES = 192 };

typedef struct generator {
    sb_random random;
    unsigned size;
    bool safe;
    sb_tape *tape;
} generator;

static uint32_t next(generator *g) { return sb_random_next(&g->random); }

/* Many small numbers, a few large ones. */
static uint32_t inverse(generator *g, uint32_t max) {
    if (max == 0) return 0;
    if (max == 1) return next(g) & 1u;
    unsigned bits = 0;
    for (uint32_t rest = max; rest != 0; rest >>= 1) bits++;
    uint32_t divisor = next(g) % (UINT32_C(1) << (2 * bits / 3)) + 1;
    uint32_t high = next(g) % (max / divisor);
    return high + next(g) % (UINT32_C(1) << (bits / 3));
}

static void add_signed(generator *g, int64_t value) {
    if (g->safe) {
        const uint64_t limit = UINT64_C(1) << 53;
        uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        if (magnitude >= limit) {
            magnitude %= limit;
            value = value < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
        }
    }
    sb_tape_i64(g->tape, value);
}

static void make_double(generator *g) {
    double value = (double)((int)(next(g) % 2048) - 1024);
    double divisor = 1024.0;
    for (int k = 0; k < 5; k++, divisor *= 1024.0) value += (double)(next(g) % 1024) / divisor;
    sb_tape_f64(g->tape, value);
}

static void make_unsigned(generator *g) {
    if (inverse(g, 10000) > 5000) {
        uint64_t high = next(g) & 0x7fffffffu;
        add_signed(g, (int64_t)(high << 32 | next(g))); /* below 2^63 */
    } else {
        sb_tape_u64(g->tape, inverse(g, 0xfffff));
    }
}

static void make_signed(generator *g) {
    if (inverse(g, 10000) > 5000) {
        uint64_t high = next(g);
        add_signed(g, (int64_t)(high << 32 | next(g)));
    } else {
        int64_t value = inverse(g, 0xfffff);
        sb_tape_i64(g->tape, (next(g) & 1u) ? -value : value);
    }
}

static void make_string(generator *g, uint32_t length) {
    char bytes[MAX_STRING];
    bool ascii = next(g) % 4 != 0;
    bool spaced = length > 50 || next(g) % 4 != 0;
    uint32_t gap = next(g) % 8 + 2;
    for (uint32_t i = 0; i < length;) {
        if (spaced) {
            if (gap == 0) {
                gap = next(g) % 8 + 2;
                bytes[i++] = ' ';
                continue;
            }
            gap--;
        }
        if (next(g) % 128 == 0) {
            bytes[i++] = "\n\"\\"[next(g) % 3];
        } else if (!ascii && length - i >= 2 && next(g) % 4 == 0) {
            uint32_t point = 0xA1 + next(g) % 0x5F;
            bytes[i++] = (char)(0xC0 | point >> 6);
            bytes[i++] = (char)(0x80 | (point & 0x3F));
        } else if (next(g) % 32 == 0) {
            bytes[i++] = (char)(33 + next(g) % 94);
        } else {
            uint32_t letter = next(g) % 26;
            bytes[i++] = (char)((next(g) % 32 == 0 ? 'A' : 'a') + letter);
        }
    }
    sb_tape_str(g->tape, bytes, length);
}

typedef struct key {
    char bytes[MAX_KEY];
    uint32_t length;
} key;

static key make_key(generator *g) {
    key k;
    k.length = next(g) % 9 + 2;
    for (uint32_t i = 0; i < k.length; i++) k.bytes[i] = (char)('a' + next(g) % 26);
    return k;
}

static bool known(const key *keys, uint32_t count, const key *k) {
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].length == k->length && memcmp(keys[i].bytes, k->bytes, k->length) == 0) return true;
    return false;
}

static void make(generator *g, unsigned depth);

static void make_map(generator *g, unsigned depth, uint32_t count) {
    key keys[MAX_ENTRIES];
    size_t place = sb_tape_open(g->tape, SB_MAP);
    for (uint32_t i = 0; i < count; i++) {
        do keys[i] = make_key(g);
        while (known(keys, i, &keys[i]));
        sb_tape_key(g->tape, keys[i].bytes, keys[i].length);
        make(g, depth + 1);
    }
    sb_tape_end(g->tape, place, count);
}

static void make_array(generator *g, unsigned depth, uint32_t count) {
    size_t place = sb_tape_open(g->tape, SB_ARRAY);
    for (uint32_t i = 0; i < count; i++) make(g, depth + 1);
    sb_tape_end(g->tape, place, count);
}

static void make(generator *g, unsigned depth) {
    if (depth < 31 && next(g) % (UINT32_C(1) << (depth + 1)) <= 2) {
        bool map = next(g) & 1u;
        uint32_t count = 3u << (g->size > depth ? g->size - depth : 0);
        count += next(g) % count;
        if (map)
            make_map(g, depth, count / 2);
        else
            make_array(g, depth, count);
        return;
    }
    if (next(g) % 64 == 0) {
        make_double(g);
        return;
    }
    switch (next(g) % 8) {
        case 0: sb_tape_nil(g->tape); return;
        case 1: sb_tape_bool(g->tape, next(g) & 1u); return;
        case 3: make_unsigned(g); return;
        case 4:
        case 5:
        case 6: make_signed(g); return;
        default: make_string(g, inverse(g, 1000)); return;
    }
}

void sb_generate(sb_tape *tape, unsigned size, uint64_t seed, bool safe) {
    generator g = {.size = size, .safe = safe, .tape = tape};
    sb_random_seed(&g.random, seed);
    make(&g, 0);
}
