/* What one step of contenders/busy/steps.h takes, by a loop of its own and without the harness: prints
 * nanoseconds, from the shortest of many batches of two lengths, whose difference holds no clock reading. */
#include <stdio.h>
#include <time.h>

#include "contenders/busy/steps.h"

enum { STEPS = 100000, BATCHES = 200 };

static uint64_t now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static uint64_t timed(uint64_t count) {
    uint64_t start = now();
    take_steps(count);
    return now() - start;
}

int main(void) {
    uint64_t once = UINT64_MAX, twice = UINT64_MAX;
    for (int i = 0; i < BATCHES; i++) {
        uint64_t a = timed(STEPS), b = timed(2 * STEPS);
        if (a < once) once = a;
        if (b < twice) twice = b;
    }
    return printf("%.6f\n", (double)(twice - once) / STEPS) > 0 ? 0 : 1;
}
