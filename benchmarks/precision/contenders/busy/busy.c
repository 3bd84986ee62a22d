/* STEPS steps and the baseline's work. The number is data, so that all such programs have the same code. */
#include <serbench/baseline.h>
#include <serbench/reader.h>

#include "steps.h"

#ifndef STEPS
#define STEPS 0
#endif

static volatile uint64_t number = STEPS;

bool sb_read(char *data, size_t size, sb_hash *h) {
    (void)data;
    (void)size;
    take_steps(number);
    sb_hash_value(h, sb_harness_root());
    return true;
}

const char *sb_library_version(void) { return ""; }
