/* What one step of contenders/busy/steps.h takes, by a loop of its own and without the harness: prints
 * nanoseconds. The two lengths' difference holds no clock reading; as in the harness, of ten batches the
 * shortest counts, and of several such tens the median, since processors change their pace. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contenders/busy/steps.h"

enum { STEPS = 300000, BATCHES = 10, TENS = 9 };

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

static double step(void) {
    uint64_t once = UINT64_MAX, twice = UINT64_MAX;
    for (int i = 0; i < BATCHES; i++) {
        uint64_t a = timed(STEPS), b = timed(2 * STEPS);
        if (a < once) once = a;
        if (b < twice) twice = b;
    }
    return ((double)twice - (double)once) / STEPS;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    double steps[TENS];
    for (int i = 0; i < TENS; i++) steps[i] = step();
    qsort(steps, TENS, sizeof *steps, compare);
    return printf("%.6f\n", steps[TENS / 2]) > 0 ? 0 : 1;
}
