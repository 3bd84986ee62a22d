/* The generated dataset: what the 2016 suite's generator makes, draw by draw. */
#ifndef SERBENCH_GENERATOR_H
#define SERBENCH_GENERATOR_H

#include "tape.h"

/* Appends the tree of `size` (1 to 5) and `seed` to a tape that has just begun. With `safe`, every
 * integer v outside +-(2^53 - 1) becomes sign(v) * (|v| mod 2^53). */
void sb_generate(sb_tape *tape, unsigned size, uint64_t seed, bool safe);

#endif
