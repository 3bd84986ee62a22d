/* For the baseline and the memcpy row only: the harness's own data, which no contender may touch. */
#ifndef SERBENCH_BASELINE_H
#define SERBENCH_BASELINE_H

#include "serbench/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value tree of the dataset. */
const sb_value *sb_harness_root(void);

/* The encoded input that the group's baseline was given: its smallest encoding. */
const char *sb_harness_input(size_t *size);

#ifdef __cplusplus
}
#endif
#endif
