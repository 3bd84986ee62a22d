/* The multiply-with-carry generator of the 2016 suite; all arithmetic wraps. */
#ifndef SERBENCH_RANDOM_H
#define SERBENCH_RANDOM_H

#include <stdint.h>

typedef struct sb_random {
    uint32_t v, c;
} sb_random;

static inline void sb_random_seed(sb_random *random, uint64_t seed) {
    random->v = ((uint32_t)seed & 0xfffffffeu) | 0x100u;
    random->c = ((uint32_t)(seed >> 32) & 0xfffeffffu) | 0x100000u;
}

static inline uint32_t sb_random_next(sb_random *random) {
    uint64_t r = UINT64_C(3636507990) * random->v + random->c;
    random->v = 0xfffffffeu - (uint32_t)r;
    random->c = (uint32_t)(r >> 32);
    return random->v;
}

#endif
