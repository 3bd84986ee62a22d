/* Work of known cost: a chain of steps of which none can begin before the last one has ended. */
#ifndef SERBENCH_KNOWN_COST_STEPS_H
#define SERBENCH_KNOWN_COST_STEPS_H

#include <stdint.h>

static inline uint64_t take_steps(uint64_t count) {
    uint64_t x = count;
    for (uint64_t i = 0; i < count; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        __asm__ volatile("" : "+r"(x)); /* or a compiler might take several steps at once */
    }
    return x;
}

/* Lets no compiler leave out what made `x`. */
static inline void keep(uint64_t x) { __asm__ volatile("" : : "r"(x)); }

/* Lets no compiler keep what `x` points to in registers. */
static inline void apart(void *x) { __asm__ volatile("" : : "r"(x) : "memory"); }

#endif
