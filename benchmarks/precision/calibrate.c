/* What one step of contenders/busy/steps.h takes, by a loop of its own and without the harness: prints
 * nanoseconds. Of three batches, the least that the harness takes, the shortest counts, and of several
 * such threes the median, since processors change their pace. A batch is so long that reading the clock
 * adds nothing.
 *     calibrate STEPS THREES */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contenders/busy/steps.h"

enum { BATCHES = 3 };
static const uint64_t UNTIMED_NS = 5000000; /* also as in the harness */

static uint64_t now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static uint64_t timed(uint64_t steps) {
    uint64_t start = now();
    take_steps(steps);
    return now() - start;
}

static double shortest(uint64_t steps) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < BATCHES; i++) {
        uint64_t nanoseconds = timed(steps);
        if (nanoseconds < least) least = nanoseconds;
    }
    return (double)least / (double)steps;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    uint64_t steps = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    size_t threes = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    double *found = threes ? malloc(threes * sizeof *found) : NULL;
    if (!steps || !found) return 2;
    for (uint64_t start = now(); now() - start < UNTIMED_NS;) take_steps(1000);
    for (size_t i = 0; i < threes; i++) found[i] = shortest(steps);
    qsort(found, threes, sizeof *found, compare);
    int printed = printf("%.6f\n", found[threes / 2]);
    free(found);
    return printed > 0 ? 0 : 1;
}
