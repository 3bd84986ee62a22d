#include "clock.h"

#include <sys/resource.h>
#include <time.h>

static uint64_t now(clockid_t clock) {
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

bool sb_repeat(sb_iteration iteration, void *context, uint64_t count) {
    /* Volatile, so that no compiler sees through the call and folds iterations together. */
    sb_iteration volatile opaque = iteration;
    bool ok = true;
    for (uint64_t i = 0; i < count; i++) ok &= opaque(context);
    return ok;
}

bool sb_time_chunks(sb_iteration iteration, void *context, uint64_t iterations, uint64_t chunks,
                    uint64_t *wall, uint64_t *cpu) {
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        /* The CPU clock is a system call, so it stands outside of the wall clock's readings. */
        uint64_t cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
        uint64_t start = now(CLOCK_MONOTONIC);
        bool ok = sb_repeat(iteration, context, iterations);
        uint64_t end = now(CLOCK_MONOTONIC);
        cpu[chunk] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        wall[chunk] = end - start;
        if (!ok) return false;
    }
    return true;
}

uint64_t sb_page_faults(void) {
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (uint64_t)used.ru_minflt : 0;
}

__attribute__((noinline, used)) bool sb_counted_region(sb_iteration iteration, void *context,
                                                       uint64_t count) {
    return sb_repeat(iteration, context, count);
}

/* The assembler text keeps the call: an empty function would be known to do nothing. */
__attribute__((noinline, used)) void sb_counted_end(void) { __asm__ volatile("" ::: "memory"); }
