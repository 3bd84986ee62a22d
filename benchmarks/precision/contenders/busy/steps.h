/* Work whose duration is known: a chain of steps of which none can begin before the last one has ended. */
#ifndef SERBENCH_PRECISION_STEPS_H
#define SERBENCH_PRECISION_STEPS_H

#include <stdint.h>

/* Nothing behind it begins before everything in front of it has ended, so that times add up. */
static inline void fence(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
#endif
}

/* `count` steps between two fences. */
static inline void take_steps(uint64_t count) {
    uint64_t x = count;
    fence();
    for (uint64_t i = 0; i < count; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        __asm__ volatile("" : "+r"(x)); /* or a compiler might take several steps at once */
    }
    fence();
}

#endif
