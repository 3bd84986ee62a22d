/* The clock and the loop: everything that is timed goes through sb_time_chunks. */
#ifndef SERBENCH_CLOCK_H
#define SERBENCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* One iteration of a test; `context` is its own. False if it failed. */
typedef bool (*sb_iteration)(void *context);

/* Runs `iteration` `count` times without a look at any clock; false if one failed. */
bool sb_repeat(sb_iteration iteration, void *context, uint64_t count);

/* Times `chunks` chunks of `iterations` iterations each: the nanoseconds of each chunk by the monotonic
 * clock into `wall` and of this process into `cpu`. False, at the end of a chunk, if one failed. */
bool sb_time_chunks(sb_iteration iteration, void *context, uint64_t iterations, uint64_t chunks,
                    uint64_t *wall, uint64_t *cpu);

/* How often this process has been given a page of memory since it began: its minor page faults. */
uint64_t sb_page_faults(void);

/* The same as sb_repeat, but a function of its own around which an instruction counter is toggled. */
bool sb_counted_region(sb_iteration iteration, void *context, uint64_t count);

/* Called behind it: a counter that only sees addresses (QEMU's) counts from that function's to this one's. */
void sb_counted_end(void);

#endif
