/* What the harness's loop costs around an opaque call that does nothing: no copy, no hash.
 * Built and run by loop.py; prints nanoseconds per iteration of the shortest of 200 chunks, and of an
 * empty chunk's clock readings, which the loop's figure contains. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { ITERATIONS = 100000, CHUNKS = 200 };

static bool nothing(void *context) {
    (void)context;
    return true;
}

static double shortest(uint64_t iterations) {
    static uint64_t wall[CHUNKS], cpu[CHUNKS];
    if (!sb_time_chunks(nothing, NULL, iterations, CHUNKS, wall, cpu)) exit(1);
    uint64_t least = wall[0];
    for (int i = 1; i < CHUNKS; i++)
        if (wall[i] < least) least = wall[i];
    return (double)least;
}

int main(void) {
    (void)shortest(ITERATIONS);
    double loop = shortest(ITERATIONS), clock = shortest(0);
    return printf("{\"ns_per_iteration\": %.3f, \"ns_per_clock_pair\": %.1f}\n", loop / ITERATIONS, clock) <
           0;
}
